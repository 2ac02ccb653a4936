import Foundation
import Testing

@testable import GTFSImport

/// Feeds in other encodings than UTF-8, and UTF-8 with broken characters.
@Suite struct CellEncodingTests {
    private static let stops =
        "stop_id,stop_name,stop_lat,stop_lon\ns1,Скопје – Рајко Жинзифов,50.1,8.1\ns2,Велес,50.2,8.2\n"

    /// A database that counts bytes may cut a name within a letter. One such name does not change the file's encoding.
    @Test func aBrokenCharacterIsReplacedWhereTheOthersAreUTF8() throws {
        var stops = Data(Self.stops.utf8)
        let cut = try #require(stops.range(of: Data("ов,".utf8)))
        stops.remove(at: cut.lowerBound + 3)
        let (store, _) = try SmallFeed.store([:], bytes: ["stops.txt": stops])
        #expect(try SmallFeed.all("SELECT name FROM stop", store) == "Скопје – Рајко Жинзифо\u{FFFD}; Велес")
        #expect(try SmallFeed.all("SELECT encoding FROM feed_file WHERE name = 'stops.txt'", store) == "UTF-8")
        #expect(
            try SmallFeed.all("SELECT message FROM notice WHERE code = 'invalid_character'", store)
                == "stops.txt, row 2, stop_name: \"Скопје – Рајко Жинзифо\u{FFFD}\" is not UTF-8 in the feed; "
                + "bytes that are not valid characters were replaced by U+FFFD")
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16IsConvertedWithANotice(encoding: String.Encoding) throws {
        let name = encoding == .utf16BigEndian ? "UTF-16BE" : "UTF-16LE"
        let stops = try #require(("\u{FEFF}" + Self.stops).data(using: encoding))
        let (store, _) = try SmallFeed.store([:], bytes: ["stops.txt": stops])
        #expect(try SmallFeed.all("SELECT name FROM stop", store) == "Скопје – Рајко Жинзифов; Велес")
        #expect(try SmallFeed.all("SELECT encoding FROM feed_file WHERE name = 'stops.txt'", store) == name)
        #expect(
            try SmallFeed.all("SELECT message FROM notice WHERE \(SmallFeed.withoutUnused)", store)
                == "stops.txt: is \(name) where GTFS has UTF-8; converted")
    }
}
