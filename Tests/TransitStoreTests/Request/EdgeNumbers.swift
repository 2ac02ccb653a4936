/// Numbers at which arithmetic overflows or comparison fails, for every public function that takes one.
enum EdgeNumbers {
    static let integers = [
        Int.min, .min + 1, -(1 << 40), -86_401, -1, 0, 1, 2, 99, 100, 101, 86_399, 20_260_504, 99_991_231, 1 << 40,
        .max - 1, .max,
    ]
    static let doubles = [
        Double.nan, -.infinity, -.greatestFiniteMagnitude, -1e19, -180.000_001, -90, -0.0, 0, 1e-300, 52.5, 90, 180,
        1e19,
        .greatestFiniteMagnitude, .infinity,
    ]
}
