import GTFSFeed

struct LocationsReader {
    let file: String
    let state: ReadingState
    func read(_ source: any ByteSource, _ send: (LocationRecord) throws -> Void) throws -> Int { 0 }
}
