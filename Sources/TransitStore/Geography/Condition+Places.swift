extension Condition where Entity: StoreEntity {
    /// Rows within a distance of a place, measured over the ellipsoid; for entities with `latitude` and `longitude`.
    ///
    ///     FetchRequest<Stop>(where: .within(meters: 80, of: goerlitzerBahnhof))
    ///     // WHERE t0.longitude >= ? AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?
    ///     //   AND is_within(t0.latitude, t0.longitude, ?, ?, ?)
    ///
    /// An index finds the rows in a box around the circle; then the exact distance removes those outside the circle.
    /// Correct across the 180th meridian and at the poles. Rows without a place are never within. The fetch throws
    /// `unsuitableValue` for coordinates out of range, and for a distance that is negative or not finite.
    public static func within(meters: Double, of place: Coordinate) -> Condition {
        within(meters: meters, of: place, path: [])
    }

    /// Rows whose related row is within a distance of a place.
    ///
    ///     let calls = FetchRequest<StopTime>(where: .within(meters: 80, of: goerlitzerBahnhof, at: \.stop))
    ///
    /// The fetch throws as for `within(meters:of:)`, and `unknownProperty` for an entity without coordinates.
    public static func within<Place: StoreEntity>(
        meters: Double, of place: Coordinate, at keyPath: KeyPath<Entity, Place>
    ) -> Condition {
        do {
            guard case .property(_, let path) = try QueryExpression.property(of: keyPath) else { return .none }
            return within(meters: meters, of: place, path: path)
        } catch { return Condition(refused: error) }
    }

    /// Rows in a box of latitudes and longitudes, edges included. An edge on the 180th meridian includes both of its
    /// longitudes, 180 and -180.
    ///
    ///     FetchRequest<Stop>(where: .within(BoundingBox(around: goerlitzerBahnhof, meters: 80)))
    ///
    /// The fetch throws `unsuitableValue` for an edge out of range.
    public static func within(_ box: BoundingBox) -> Condition {
        let corners = [
            Coordinate(latitude: box.minLatitude, longitude: box.minLongitude),
            Coordinate(latitude: box.maxLatitude, longitude: box.maxLongitude),
        ]
        if let refusal = corners.lazy.compactMap(\.refusal).first { return Condition(refused: refusal) }
        return Condition(.box(.root, [], box.withBothNamesOfItsEdges))
    }

    private static func within(meters: Double, of place: Coordinate, path: PropertyPath) -> Condition {
        guard meters >= 0, meters.isFinite else {
            return Condition(refused: StoreError(.unsuitableValue, "A distance is 0 metres or more, not \(meters)"))
        }
        if let refusal = place.refusal { return Condition(refused: refusal) }
        let box = BoundingBox(around: place, meters: meters)
        return Condition(
            normal: .all([
                .box(.root, path, box),
                .comparison(.lessOrEqual, .distance(.root, path, place), .value(.double(meters))),
            ]))
    }
}

extension Stop {
    /// Where the stop is; nil when the feed does not say.
    ///
    ///     if let meters = stop.coordinate?.distance(to: goerlitzerBahnhof) { print(meters) }
    public var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
