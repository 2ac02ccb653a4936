extension Int64 {
    /// The range of valid service times and intervals, about 34,000 years each way. Sums of a few of them cannot
    /// overflow. Only a damaged or hostile store has values outside it.
    static let serviceSeconds: ClosedRange<Int64> = -(1 << 40)...1 << 40

    /// The nearest value within `serviceSeconds`.
    var clampedToServiceSeconds: Int64 {
        Swift.min(Swift.max(self, Self.serviceSeconds.lowerBound), Self.serviceSeconds.upperBound)
    }
}

extension SignedInteger where Self: FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
