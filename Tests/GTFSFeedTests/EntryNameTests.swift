import SystemFiles
import Testing

@testable import GTFSFeed

struct EntryNameTests {
    @Test(
        "names become plain paths below the root",
        arguments: [
            ("stops.txt", "stops.txt", false, false), ("gtfs/stops.txt", "gtfs/stops.txt", false, false),
            ("gtfs\\stops.txt", "gtfs/stops.txt", false, false), ("./gtfs//stops.txt", "gtfs/stops.txt", false, false),
            ("gtfs/", "gtfs", true, false), ("gtfs\\", "gtfs", true, false),
            ("/gtfs/stops.txt", "gtfs/stops.txt", false, true),
            ("../../etc/passwd", "etc/passwd", false, true), ("a/../b", "a/b", false, true),
            ("C:\\a.txt", "a.txt", false, true),
            ("c:a.txt", "c:a.txt", false, false), ("", "", false, false), ("/", "", true, true),
            ("..", "", false, true),
            ("a..b/c", "a..b/c", false, false), ("stops.txt/", "stops.txt", true, false),
        ])
    func paths(name: String, path: String, isFolder: Bool, wasUnsafe: Bool) {
        let found = EntryName(name)
        #expect(found.path == path)
        #expect(found.isFolder == isFolder)
        #expect(found.wasUnsafe == wasUnsafe)
    }

    @Test("bytes are UTF-8 where they can be, else code page 437")
    func decoding() {
        #expect(EntryName.decode(Array("Straße.txt".utf8)) == "Straße.txt")
        #expect(EntryName.decode([0x81, 0x2e, 0x80, 0xff, 0xe1]) == "ü.Ç\u{a0}ß")
        #expect(EntryName.decode((0x80...0xff).map { $0 }).unicodeScalars.count == 128)
    }

    @Test("hidden files are known anywhere in a path")
    func hidden() {
        for path in ["__MACOSX/a.txt", "a/__MACOSX/b", "._a", "a/._b", ".DS_Store", ".git/config"] {
            #expect(EntryName.isHidden(path))
        }
        for path in ["a.txt", "MACOSX/a", "a/b.c"] { #expect(!EntryName.isHidden(path)) }
    }

    @Test("bytes of a path that are no characters are shown as bytes")
    func bytes() {
        let path = String(pathBytes: [0x67, 0xFC, 0x2E, 0x7A])
        #expect(path.onOneLine == "g\\xFC.z" && path.onOneLine == path.readablePath)
        #expect(path.quoted() == "\"g\\xFC.z\"")
        #expect("\u{F8FF}".onOneLine == "\\u{F8FF}")
    }

    @Test("quoted text fits on one line")
    func quoting() {
        #expect("a\"b\\c\n\t\0\u{1b}[1m".quoted() == #""a\"b\\c\n\t\0\u{1B}[1m""#)
        #expect("Zürich 北京".quoted() == "\"Zürich 北京\"")
        #expect("\u{202e}x\u{feff}".quoted() == #""\u{202E}x\u{FEFF}""#)
        #expect(String(repeating: "x", count: 99).quoted(limit: 3) == "\"xxx…\"")
        #expect("a\nb".onOneLine == "a\\nb" && "Zürich 北京".onOneLine == "Zürich 北京")
        #expect(listed(["a", "b", "c"], limit: 2) == "a, b and 1 more")
        #expect(listed(["a", "b"], limit: 2) == "a, b")
    }
}
