import Foundation
import Glibc
import SQLite
import Synchronization
import TestSupport
import Testing
import TransitStore

@Suite struct OpeningTests {
    /// Opening a FIFO would wait until somebody writes into it.
    @Test func aPipeIsRefused() throws {
        let store = try TestStore.berlin()
        let pipe = store.folder + "/other.sqlite"
        #expect(mkfifo(pipe, 0o600) == 0)
        let over = DispatchSemaphore(value: 0)
        let code = Mutex(StoreError.Code?.none)
        Thread.detachNewThread {
            do { _ = try TransitStore(path: pipe) } catch { code.withLock { $0 = (error as? StoreError)?.code } }
            over.signal()
        }
        #expect(over.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(code.withLock(\.self) == .notAStore)
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        fread(&bytes, 1, bytes.count, file)
        return bytes
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "wb"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    @Test func pathsNeedNotBeUTF8() throws {
        let fixture = try TestStore.berlin()
        let bytes = Array("\(fixture.folder)/s".utf8) + [0xE4]
        let name = bytes.map(CChar.init(bitPattern:)) + [0]
        #expect(rename(fixture.path, name) == 0)
        let store = try TransitStore(pathBytes: bytes)
        #expect(!store.isStale)
        #expect(try store.reopened().makeContext().fetch(FetchRequest<Stop>()).count > 0)
        let missing = #expect(throws: StoreError.self) { try TransitStore(pathBytes: bytes + [0xFF]) }
        #expect(missing?.message == "There is no store at \(fixture.folder)/s\\xE4\\xFF")
    }

    @Test func whatIsNoStoreIsRefused() throws {
        let fixture = try TestStore.berlin()
        let other = fixture.folder + "/other.sqlite"
        #expect(throws: StoreError(.missing, "There is no store at \(other)")) { try TransitStore(path: other) }
        #expect(throws: StoreError(.notAStore, "\(fixture.folder) is a folder, a pipe or a device, not a file")) {
            try TransitStore(path: fixture.folder)
        }
        try write(Array("stop_id,stop_name\n".utf8), to: other)
        #expect(throws: StoreError(.notAStore, "\(other) is not an SQLite file, so it is not a store of import-gtfs")) {
            try TransitStore(path: other)
        }
        var store = try bytes(fixture.path)
        store[63] = 9
        try write(store, to: other)
        #expect(
            throws: StoreError(
                .otherVersion,
                "\(other) has layout version 9, this library reads 3; "
                    + "import the feed again with the import-gtfs of the same release")
        ) { try TransitStore(path: other) }
        store[71] = 0
        try write(store, to: other)
        #expect(throws: StoreError(.notAStore, "\(other) is an SQLite file, but not a store of import-gtfs")) {
            try TransitStore(path: other)
        }
        let whole = try bytes(fixture.path)
        try write(Array(whole.prefix(whole.count / 2)), to: other)
        #expect(
            throws: StoreError(
                .truncated,
                "\(other) has \(whole.count / 2) of \(whole.count) bytes: it was cut off; copy or import it again")
        ) { try TransitStore(path: other) }
    }

    @Test func aDamagedPageThrows() throws {
        let fixture = try TestStore.berlin()
        var store = try bytes(fixture.path)
        let pageSize = Int(store[16]) << 8 | Int(store[17])
        for position in pageSize..<store.count { store[position] = UInt8(truncatingIfNeeded: position &* 31) }
        let other = fixture.folder + "/other.sqlite"
        try write(store, to: other)
        #expect(throws: StoreError.self) {
            let context = try TransitStore(path: other).makeContext()
            _ = try context.fetch(FetchRequest<Stop>())
            _ = try context.fetch(FetchRequest<StopTime>())
        }
    }

    @Test func randomDamageThrowsOrReads() throws {
        let fixture = try TestStore.berlin()
        let whole = try bytes(fixture.path)
        let other = fixture.folder + "/other.sqlite"
        var generator = SeededGenerator(seed: 3)
        var (read, refused) = (0, 0)
        for _ in 0..<60 {
            var store = whole
            for _ in 0..<40 {
                store[Int.random(in: 0..<store.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            try write(store, to: other)
            do {
                let context = try TransitStore(path: other).makeContext()
                for stop in try context.fetch(FetchRequest<Stop>()) { _ = (stop.name, stop.stopTimes.map(\.stop.name)) }
                _ = try context.fetch(FetchRequest<Stop>(where: .within(meters: 800, of: TestStore.pointOfInterest)))
                read += 1
            } catch {
                #expect(error.code == .corrupt, "\(error)")
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0, "\(read) read, \(refused) refused")
    }

    @Test func aStoreThatIsCutShortInPlaceThrows() throws {
        let fixture = try TestStore.berlin()
        let store = try fixture.open { $0.isMemoryMapped = false }
        let context = store.makeContext()
        #expect(truncate(fixture.path, 8_192) == 0)
        #expect(throws: StoreError.self) { try context.fetch(FetchRequest<StopTime>()) }
    }

    @Test func aStoreThatIsPublishedAnewIsNoticed() throws {
        let fixture = try TestStore.berlin()
        let store = try fixture.open()
        let context = store.makeContext()
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 8)
        #expect(!store.isStale)
        let next = try TestStore { try $0.insertStop(0, "Neu", 52, 13) }
        #expect(rename(next.path, fixture.path) == 0)
        #expect(store.isStale)
        #expect(try context.fetch(FetchRequest<Stop>()).last?.name == "Zoo")
        let fresh = try store.reopened()
        #expect(try fresh.makeContext().fetch(FetchRequest<Stop>()).map(\.name) == ["Neu"])
        #expect(!fresh.isStale)
        let late = store.makeContext()
        #expect(try late.fetch(FetchRequest<Stop>()).last?.name == "Zoo")
        #expect(try late.fetchCount(FetchRequest<StoredRow>(entity: "fare_rule")) == 0)
        #expect(unlink(fixture.path) == 0)
        #expect(store.isStale)
        #expect(try store.makeContext().fetchCount(FetchRequest<Stop>()) == 8)
        #expect(throws: StoreError(.missing, "There is no store at \(fixture.path)")) { try store.reopened() }
    }

    @Test func fetchingChangesNoByteOfAReadOnlyFolder() throws {
        let fixture = try TestStore.berlin()
        let before = try bytes(fixture.path)
        chmod(fixture.path, 0o444)
        chmod(fixture.folder, 0o555)
        defer { chmod(fixture.folder, 0o755) }
        let context = try fixture.context()
        let request = FetchRequest<Stop>(where: .within(meters: 800, of: TestStore.pointOfInterest))
        for _ in 0..<10_000 { #expect(try context.fetch(request).count == 3) }
        #expect(try bytes(fixture.path) == before)
        var names: [String] = []
        let folder = try #require(opendir(fixture.folder))
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        #expect(names.sorted() == [".", "..", "store.sqlite"])
    }
}
