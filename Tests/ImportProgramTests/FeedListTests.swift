import Foundation
import TestSupport
import Testing

@testable import GTFSImport
@testable import import_gtfs

/// Reads public lists of feeds with the columns and members that they really have.
@Suite struct FeedListTests {
    private func list(_ text: String) throws -> FeedList {
        let folder = try TemporaryFolder()
        try folder.write("list", text)
        return try FeedList(path: folder.path("list"))
    }

    @Test func readsTheMobilityDatabase() throws {
        let list = try list(
            """
            id,data_type,entity_type,location.country_code,provider,name,urls.direct_download,urls.authentication_type,\
            urls.authentication_info,urls.api_key_parameter_name,urls.latest,status
            mdb-1,gtfs,,DE,"A, ""the"" provider",,https://a.example/gtfs.zip,,,,https://x.example/1.zip,active
            mdb-2,gtfs,,FR,B,,https://b.example/g.zip?x=1,1,https://b.example/key,api_key,,
            mdb-3,gtfs,,FR,C,,HTTP://c.example/g.zip,2,,X-Key,,active
            mdb-4,gtfs_rt,tu,FR,C,,http://c.example/rt,,,,,active
            mdb-5,gtfs,,FR,C,,http://c.example/old.zip,0,,,,deprecated
            mdb-6,gtfs,,FR,C,,,,,,https://x.example/6.zip,active
            mdb-7,gtfs,,FR,C,,ftp://c.example/g.zip,,,,,active
            mdb-1,gtfs,,FR,C,,http://c.example/again.zip,,,,,active
            mdb-8,gtfs,,FR,C,,http://c.example/g.zip,1,,,,active
            """)
        #expect(
            list.text == "mdb-1\thttps://a.example/gtfs.zip\nmdb-2\thttps://b.example/g.zip?x=1\t\tquery:api_key\n"
                + "mdb-3\tHTTP://c.example/g.zip\t\theader:X-Key\n")
        #expect(
            list.skipped == [
                "mdb-4: is gtfs_rt, not a timetable", "mdb-5: is deprecated", "mdb-6: has no address",
                "mdb-7: its address is neither http nor https", "mdb-1: stands in the list twice",
                "mdb-8: wants a key, but its name is missing",
            ])
    }

    @Test func anAddressMayGoOnWithACombiningMark() throws {
        let list = try list("id,urls.direct_download\na,https://\u{301}a.example/g.zip\n")
        #expect(list.feeds.map(\.address) == ["https://\u{301}a.example/g.zip"])
    }

    @Test func readsTheOlderList() throws {
        let list = try list(
            "mdb_source_id,data_type,urls.direct_download,urls.authentication_type,urls.api_key_parameter_name\r\n"
                + "12,gtfs,https://a.example/g.zip,0,\r\n")
        #expect(list.text == "mdb-12\thttps://a.example/g.zip\n")
    }

    @Test func readsRegistries() throws {
        let list = try list(
            """
            {"$schema": "https://dmfr.transit.land/json-schema/dmfr.schema-v0.5.0.json", "feeds": [
              {"id": "f-u0-köln~kvb", "spec": "gtfs", "urls": {"static_current": "https://a.example/k.zip#inner/"}},
              {"id": "f-9q9-b", "spec": "gtfs", "urls": {"static_current": "https://b.example/b.zip"},
               "authorization": {"type": "query_param", "param_name": "token"}},
              {"id": "f-c", "spec": "gtfs", "urls": {"static_current": "https://c.example/c.zip"},
               "authorization": {"type": "header"}},
              {"id": "f-d", "spec": "gtfs", "urls": {"static_current": "https://d.example/d.zip"},
               "authorization": {"type": "basic_auth"}},
              {"id": "f-e", "spec": "gtfs", "urls": {"static_current": "https://e.example/e.zip"},
               "authorization": {"type": "path_segment"}},
              {"id": "f-f", "spec": "gtfs-rt", "urls": {"realtime_alerts": "https://f.example"}},
              {"id": "f-g", "spec": "gtfs", "urls": {"static_historic": ["https://g.example/g.zip"]}},
              7, null, "x", ["y"], {"id": ["z"], "urls": "u", "authorization": 3}
            ], "operators": []}
            """)
        #expect(
            list.text
                == "f-u0-k_ln_kvb\thttps://a.example/k.zip#inner/\nf-9q9-b\thttps://b.example/b.zip\t\tquery:token\n"
                + "f-c\thttps://c.example/c.zip\t\theader:Authorization\nf-d\thttps://d.example/d.zip\t\tbasic\n")
        #expect(
            list.skipped == [
                "f-e: wants a key in a way that is not known (path_segment)", "f-f: is gtfs-rt, not a timetable",
                "f-g: has no address", "feeds[7]: is a number, not an object: 7", "feeds[8]: is null, not an object",
                "feeds[9]: is text, not an object: x", "feeds[10]: is an array, not an object: [\"y\"]",
                "[\"z\"]: has no address",
            ])
    }

    @Test func aListOfWhatAreNoFeedsNamesEach() throws {
        let list = try list("{\"feeds\": [\"x\"]}")
        #expect(list.text == "" && list.skipped == ["feeds[0]: is text, not an object: x"])
    }

    /// Lists come from strangers, so none of their text may become a second line, an option or a path.
    @Test func hostileEntriesAreLeftOut() throws {
        let list = try list(
            """
            {"feeds": [{"id": "../../etc/x", "urls": {"static_current": "https://a.example/a.zip"}},
              {"id": "--force", "urls": {"static_current": "https://a.example/a.zip"}},
              {"id": "b", "urls": {"static_current": "https://a.example/a.zip\\nevil\\t/etc/passwd"}},
              {"id": "c", "urls": {"static_current": "file:///etc/passwd"}},
              {"id": "d", "urls": {"static_current": "https://a.example/d.zip"},
               "authorization": {"type": "header", "param_name": "X: y\\r\\nHost: z"}},
              {"id": "e", "urls": {"static_current": "https://a.example/e.zip"},
               "authorization": {"type": "header", "param_name": "X:y"}}]}
            """)
        #expect(list.feeds.map(\.name) == ["x._.._etc_x", "x-force"])
        #expect(
            list.skipped == [
                "b: its address has blanks or control characters", "c: its address is neither http nor https",
                "d: its key has no usable name", "e: its key has no usable name",
            ])
    }

    @Test func aByteOrderMarkIsNoText() throws {
        let text = #"{"feeds": [{"id": "a", "urls": {"static_current": "https://a.example/a.zip"}}]}"#
        #expect(try list("\u{FEFF}" + text).feeds == list(text).feeds)
        #expect(try list(" \n" + text).feeds.map(\.name) == ["a"])
    }

    /// Names of files come from ids: two feeds must not share a file, and the file system limits a name.
    @Test func idsWithoutAFileOfTheirOwnAreLeftOut() throws {
        let address = "\"urls\": {\"static_current\": \"https://a.example/a.zip\"}"
        let long = String(repeating: "x", count: 201)
        let feeds = ["f-a~b", "f-a_b", "f-a~b", long].map { "{\"id\": \"\($0)\", \(address)}" }
        let list = try list("{\"feeds\": [\(feeds.joined(separator: ", "))]}")
        #expect(list.feeds.map(\.name) == ["f-a_b"])
        #expect(
            list.skipped == [
                "f-a_b: its file would have the name f-a_b, as that of f-a~b", "f-a~b: stands in the list twice",
                "\(long): its id is too long for the name of a file",
            ])
    }

    /// A type that is not among those of the Mobility Database may mean anything.
    @Test func anUnknownKindOfKeyIsNotTakenForNone() throws {
        let list = try list(
            "id,urls.direct_download,urls.authentication_type\na,https://a.example/g.zip,3\nb,https://b.example/g.zip,0.0\n"
        )
        #expect(list.feeds.map(\.name) == ["b"])
        #expect(list.skipped == ["a: wants a key in a way that is not known (3)"])
    }

    @Test(arguments: ["{\"feeds\": []}", "id,urls.direct_download\n"]) func aListWithoutFeedsIsRefused(text: String)
        throws
    {
        let error = #expect(throws: ImportError.self) { try self.list(text) }
        #expect(error?.code == .feedRefused && error?.message.hasSuffix(": names no feeds") == true)
    }

    @Test func whatIsNoListIsRefused() throws {
        for text in ["", "a,b\n1,2\n", "{\"feeds\": 3}", "{", "<html>"] {
            let error = #expect(throws: ImportError.self) { try self.list(text) }
            #expect(error?.code == .feedRefused && error?.message.contains("is neither a CSV file") == true)
        }
        let result = try CommandLineProgram.run(["--list", "/none"])
        #expect(
            result
                == .init(exitCode: 66, output: "", error: "Failed: /none cannot be opened: No such file or directory\n")
        )
    }
}
