import GTFSImport
import Console

extension ImportReport {
    /// The report as one JSON object on one line, without the line end, as `--json` prints it.
    var json: String {
        var json = JSONText()
        json.object { json in
            json.member("status") { $0.string(status.rawValue) }
            json.member("message") { $0.string(message) }
            json.member("feed") { $0.string(feed) }
            json.member("store") { $0.string(store) }
            json.member("rows") { write(rows, into: &$0) }
            if !leftOut.isEmpty { json.member("left_out") { write(leftOut, into: &$0) } }
            json.member("notices") { writeNotices(into: &$0) }
            json.member("phases") { writePhases(into: &$0) }
            json.member("seconds") { $0.seconds(seconds) }
            json.member("peak_memory_bytes") { $0.integer(peakMemoryBytes) }
            json.member("store_bytes") { $0.integer(storeBytes) }
            json.member("content_hash") { $0.string(contentHash) }
            json.member("warnings") { json in json.array { json in for text in warnings { json.string(text) } } }
        }
        return json.text
    }

    private func write(_ rows: [(file: String, count: Int)], into json: inout JSONText) {
        json.object { json in
            for row in rows { json.member(row.file) { $0.integer(row.count) } }
        }
    }

    private func writeNotices(into json: inout JSONText) {
        json.array { json in
            for notice in notices {
                json.object { json in
                    json.member("code") { $0.string(notice.code) }
                    json.member("severity") { $0.string(notice.severity) }
                    json.member("count") { $0.integer(notice.count) }
                }
            }
        }
    }

    private func writePhases(into json: inout JSONText) {
        json.array { json in
            for phase in phases {
                json.object { json in
                    json.member("name") { $0.string(phase.name) }
                    json.member("seconds") { $0.seconds(phase.seconds) }
                }
            }
        }
    }
}
