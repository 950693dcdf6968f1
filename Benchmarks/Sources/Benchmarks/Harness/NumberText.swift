extension Double {
    /// The number with so many decimals.
    func text(decimals: Int) -> String {
        let factor = (0..<decimals).reduce(1.0) { value, _ in value * 10 }
        let scaled = (self * factor).rounded()
        let digits = String(Int(scaled.magnitude))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = scaled < 0 ? "-" : ""
        if decimals == 0 { return sign + padded }
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
