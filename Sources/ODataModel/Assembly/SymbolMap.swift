/// A small number for each symbol, -1 where none is set.
struct SymbolMap {
    private var values: [Int32] = []

    subscript(symbol: Int) -> Int {
        get { symbol < values.count ? Int(values[symbol]) : -1 }
        set {
            if symbol >= values.count {
                let count = max(64, symbol + 1 - values.count, values.count)
                values.append(contentsOf: repeatElement(-1, count: count))
            }
            values[symbol] = Int32(truncatingIfNeeded: newValue)
        }
    }
}
