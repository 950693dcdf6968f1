extension String {
    /// The digits behind the first point, without zeros at the end.
    package var fractionDigits: Substring {
        guard let point = firstIndex(of: ".") else { return "" }
        var digits = self[index(after: point)...].prefix(while: \.isNumber)
        while digits.last == "0" { digits.removeLast() }
        return digits
    }
}
