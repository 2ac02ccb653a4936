import TransitStore

/// Searches by place and by name. A unit is a question, or a stop of the store if the hits grow with it.
extension Operation {
    static let searching: [Operation] = [
        .doing("boxes") { ground in
            for place in ground.places {
                _ = try ground.context.fetch(FetchRequest<Stop>(where: .within(meters: 500, of: place)))
            }
            return ground.size
        },
        .doing("nearest stops") { ground in
            for place in ground.places { _ = try ground.context.nearestStops(to: place, limit: 10) }
            return ground.size
        },
        .doing("nearest stops that meet a condition") { ground in
            for place in ground.places.prefix(20) {
                _ = try ground.context.nearestStops(
                    to: place, limit: 3, where: Condition(format: "stopID ENDSWITH '77'"))
            }
            return 20
        },
        .doing("searches as people type") { ground in
            for text in texts { _ = try ground.context.searchStops(text) }
            return ground.stops
        },
        .doing("stops with a word") { ground in
            for text in texts { _ = try ground.context.fetch(FetchRequest<Stop>(where: .name(hasWords: text))) }
            return ground.stops
        },
        .doing("stops whose name holds a text") { ground in
            for text in texts {
                _ = try ground.context.fetchCount(
                    FetchRequest<Stop>(where: Condition(format: "name CONTAINS[cd] %@", text)))
            }
            return ground.stops
        },
    ]

    private static let texts = ["gesund", "kottbuss", "s gesund", "frankf", "yorckk", "rathaus", "u oran"]
}
