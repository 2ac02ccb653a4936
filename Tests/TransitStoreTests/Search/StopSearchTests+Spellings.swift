import Testing
import TransitStore

/// Texts in other spellings than the names that they find.
extension StopSearchTests {
    /// With blanks in place of the hyphens, these texts always found the names.
    @Test(arguments: [
        ("Goethe-Straße", 0), ("Görlitz-Ost", 1), ("Görlitz/Neiße", 2), ("Івано-Франківськ", 3), ("Straße(Nord)", 4),
        ("Straße-Goethe", 0), ("Ost-Görlitz", 1), ("Saint-Œuvre", 5), ("st-œuv", nil),
    ])
    func `each word of a text with hyphens has its own spellings`(text: String, found: Int?) throws {
        let store = try Self.store([
            (0, "Goethe-Strasse", nil, 1), (1, "Goerlitz-Ost", nil, 1), (2, "Goerlitz/Neisse", nil, 1),
            (3, "Ivano-Frankivsk", nil, 1), (4, "Strasse (Nord)", nil, 1), (5, "Saint-Oeuvre", nil, 1),
        ])
        #expect(try store.context().searchStops(text).map(\.id) == [found].compactMap(\.self))
    }
}
