import FoundationEssentials
import Testing
import TransitStore

/// Rows under headings.
@Suite struct SectionTests {
    private func context() throws -> StoreContext { try TestStore.berlin().context() }

    @Test func sectionsByAKeyPathAreInItsOrder() throws {
        let context = try context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.departureTime)]
        let results = try FetchedResults(request, sectionedBy: \.trip.route.shortName, in: context)
        #expect(results.sections.map(\.name) == ["M29", "N1", "U1"])
        #expect(results.sections.map(\.count) == [4, 2, 8])
        #expect(results[2, 0].departureTime == ServiceTime(seconds: 28_560))
        #expect(results[2, 7].departureTime == ServiceTime(seconds: 36_600))
        #expect(results.sections[1].range == 4..<6)
        #expect(results[4].trip.id == 5)
        (request.fetchLimit, request.fetchOffset) = (-1, -1)
        #expect(
            try FetchedResults(request, sectionedBy: \.trip.route.shortName, in: context).objects.count
                == results.objects.count)
        for (limit, offset) in [(3, 0), (0, 3)] {
            (request.fetchLimit, request.fetchOffset) = (limit, offset)
            #expect(throws: StoreError.self) { try FetchedResults(request, sectionedBy: \.trip.id, in: context) }
        }
    }

    @Test func sectionsComeInTheOrderThatTheRequestAsksFor() throws {
        let context = try context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.descending(\.trip.route.shortName), .descending(\.departureTime)]
        let results = try FetchedResults(request, sectionedBy: \.trip.route.shortName, in: context)
        #expect(results.sections.map(\.name) == ["U1", "N1", "M29"])
        #expect(results[0, 0].departureTime == ServiceTime(seconds: 36_600))
        for section in results.sections {
            #expect(section.range.allSatisfy { .text(results[$0].trip.route.shortName) == section.name })
        }
    }

    /// In German, Ö is between O and P; by bytes, it comes after Z. A locale's order may hold
    /// different names to be equal. They still get separate sections.
    @Test func sectionsByALocaleAreInItsOrder() throws {
        let store = try TestStore { connection in
            for (id, name) in ["Zoo", "Öl", "Ost", "Öl", "Park", "zoo", "Zoo"].enumerated() {
                try connection.insertStop(id, name, 52, 13)
            }
        }
        var request = FetchRequest<Stop>()
        request.sortDescriptors = [.ascending(\.name, .locale("de"))]
        let results = try FetchedResults(request, sectionedBy: \.name, in: store.context())
        #expect(results.sections.map(\.name) == ["Öl", "Ost", "Park", "zoo", "Zoo"])
        request.sortDescriptors = [.ascending(\.name, .folded), .descending(\.id)]
        let folded = try FetchedResults(request, sectionedBy: \.name, in: store.context())
        #expect(folded.sections.map(\.name) == ["Öl", "Ost", "Park", "Zoo", "zoo"])
        #expect(folded.sections.map(\.count) == [2, 1, 1, 2, 1])
        #expect(folded[3, 0].id == 6 && folded[3, 1].id == 0)
        for section in folded.sections {
            #expect(section.range.allSatisfy { .text(folded[$0].name) == section.name })
        }
    }

    @Test func sectionsByAClosureAreInTheOrderOfTheirFirstObjects() throws {
        let context = try context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.descending(\.departureTime)]
        request.fetchBatchSize = 3
        let all = try context.fetch(request)
        let hours = try FetchedResults(request, in: context) { ($0.departureTime?.seconds ?? 0) / 3_600 }
        #expect(
            hours.sections.map(\.name.integer)
                == Set(all.map { Int64(($0.departureTime?.seconds ?? 0) / 3_600) }).sorted(by: >)
        )
        #expect(Array(hours.objects) == all)
        // A section name that appears again later joins the earlier section.
        let parity = try FetchedResults(request, in: context) { $0.stop.id % 2 == 0 }
        let first = all[0].stop.id % 2
        let wanted = all.filter { $0.stop.id % 2 == first } + all.filter { $0.stop.id % 2 != first }
        #expect(Array(parity.objects) == wanted)
        #expect(parity.sections.count == 2 && parity.sections[1].range.upperBound == all.count)
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try FetchedResults(request, in: context) { _ -> Int in throw Refusal() }
        }
    }

    @Test func sectionsOverSeveralStoresAreJoined() throws {
        let (one, two) = (try TestStore.berlin(), try TestStore.berlin())
        let context = StoreCoordinator([try one.open(), try two.open()]).makeContext()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.descending(\.trip.route.shortName), .ascending(\.departureTime)]
        let results = try FetchedResults(request, sectionedBy: \.trip.route.shortName, in: context)
        #expect(results.sections.map(\.name) == ["U1", "N1", "M29"])
        #expect(results.sections.map(\.count) == [16, 4, 8])
        #expect(results[0, 0].departureTime == results[0, 1].departureTime)
        withExtendedLifetime((one, two)) {}
    }

    @Test func `rows that no descriptor tells apart are in the order of the stores`() throws {
        let one = try TestStore { connection in
            for (id, name) in [(5, "Zoo"), (6, "Hafen")] { try connection.insertStop(id, name, 52, 13) }
        }
        let two = try TestStore { connection in
            for (id, name) in [(1, "Zoo"), (2, "Hafen")] { try connection.insertStop(id, name, 52, 13) }
        }
        let byName = FetchRequest<Stop>(sortedBy: .ascending(\.name))
        for (stores, ids) in [([one, two], [6, 2, 5, 1]), ([two, one], [2, 6, 1, 5])] {
            let context = StoreCoordinator(try stores.map { try $0.open() }).makeContext()
            func expect(_ ids: [Int]) throws {
                let sections = try FetchedResults(FetchRequest<Stop>(), sectionedBy: \.name, in: context)
                #expect(sections.sections.map(\.name) == ["Hafen", "Zoo"])
                #expect(sections.objects.map(\.id) == ids)
                #expect(try context.fetch(byName).map(\.id) == ids)
                #expect(try context.fetchBatches(byName).map(\.id) == ids)
                #expect(try context.fetchRows(byName).map { $0["id"].integer } == ids.map(Int64.init))
            }
            try expect(ids)
            // A change moves a row behind those that equal it.
            let moved = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 5 }))
            try moved.first?.set(\.name, to: "Hafen")
            try expect(ids.prefix(2) + [5, 1])
        }
    }

    @Test func unsavedChangesTakePart() throws {
        let context = try context()
        let extra = context.insert(StopTime.self)
        try extra.setValue(5, for: "trip")
        let results = try FetchedResults(FetchRequest<StopTime>(), sectionedBy: \.trip.route.shortName, in: context)
        #expect(results.sections.map(\.count) == [4, 3, 8])
        #expect(results.sections[1].range.contains { results[$0] === extra })
    }

    @Test func aRowPastTheEndOfItsSectionStopsTheProgram() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestStore.berlin().context()
            let results = try FetchedResults(
                FetchRequest<StopTime>(), sectionedBy: \.trip.route.shortName, in: context)
            _ = results[0, 3].departureTime
            _ = results[0, 4].departureTime
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("Index 4 is out of range 0..<4 of section 0"))
    }

    /// An empty column reads as '' or 0 where a property is not optional: one section, under that name.
    @Test func sectionsAreNamedAsThePropertyReads() throws {
        let context = try context()
        let order = FetchRequest<Stop>(sortedBy: .descending(\.locationType), .ascending(\.id))
        for isChanged in [false, true] {
            if isChanged { try context.object(Stop.self, id: 4)?.set(\.name, to: "Warschauer Straße") }
            let kinds = try FetchedResults(order, sectionedBy: \.locationType, in: context)
            #expect(kinds.sections.map(\.name) == [3, 1, 0])
            #expect(kinds.sections.map { $0.range.map { kinds[$0].id } } == [[5], [1], [0, 2, 3, 4, 6, 7]])
            let names = try FetchedResults(order, sectionedBy: \.name, in: context)
            #expect(names.sections.first?.name == "" && names.sections.first?.count == 1)
            for section in names.sections {
                #expect(section.range.allSatisfy { .text(names[$0].name) == section.name })
            }
        }
    }

    /// nil for a stop without a station, '' for one whose station has no name.
    @Test func sectionsByATextBehindAnOptionalRelationshipTellNilFromEmpty() throws {
        let store = try TestStore { connection in
            try connection.insertStop(0, nil, 52, 13, type: 1)
            try connection.insertStop(1, "Zoo", 52, 13, type: 1)
            for (id, parent) in [(2, 0), (3, 1), (4, 0), (5, nil)] as [(Int, Int?)] {
                try connection.insertStop(id, "Gleis", 52, 13, parent: parent)
            }
        }
        let context = try store.context()
        for order in [Sort<Stop>.ascending(\.parentStation?.name), .descending(\.parentStation?.name, .locale("de"))] {
            let results = try FetchedResults(
                FetchRequest(sortedBy: order, .descending(\.id)), sectionedBy: \.parentStation?.name, in: context)
            let found = results.sections.map { section in (section.name, section.range.map { results[$0].id }) }
            let expected: [(QueryValue, [Int])] = [(.null, [5, 1, 0]), ("", [4, 2]), ("Zoo", [3])]
            let isAscending = order == .ascending(\.parentStation?.name)
            let wanted = isAscending ? expected : expected.reversed()
            #expect(found.map(\.0) == wanted.map(\.0) && found.map(\.1) == wanted.map(\.1))
        }
    }

    /// An empty text is a missing one, as in CSV.
    @Test func emptyOptionalTextsAreNil() throws {
        let context = try context()
        try context.object(Stop.self, id: 7)?.set(\.platformCode, to: "")
        let results = try FetchedResults(FetchRequest<Stop>(), sectionedBy: \.platformCode, in: context)
        #expect(results.sections.map(\.name) == [.null, "1"])
        #expect(results.sections.map(\.count) == [7, 1])
    }

    /// Only texts have case and diacritics. In words, such a sort is refused as well.
    @Test func numbersAreNotFolded() throws {
        let context = try context()
        for sort in [Sort<Stop>.descending(\.id, .folded), .ascending(\.latitude, .folded)] {
            let error = #expect(throws: StoreError.self) { try context.fetch(FetchRequest<Stop>(sortedBy: sort)) }
            #expect(error?.code == .untranslatable)
            #expect(
                error?.message.hasSuffix("it is not a text, and only texts have case and diacritics to ignore") == true)
        }
        let count = FetchRequest<Stop>(sortedBy: .ascending(\.stopTimes.count, .folded))
        #expect(throws: StoreError.self) { try context.fetch(count) }
        #expect(try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.parentStation?.name, .folded))).count == 8)
    }
}
