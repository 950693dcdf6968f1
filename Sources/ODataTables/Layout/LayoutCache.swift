import ODataProtocol
import ODataModel
import Synchronization

/// Tables that have been worked out.
final class LayoutCache: Sendable {
    private let tables = Mutex<[NavigationSource: TableLayout]>([:])

    /// Returns a table that has been made.
    func table(_ source: NavigationSource) -> TableLayout? {
        tables.guarded { $0[source] }
    }

    /// Returns a table, made by the closure the first time.
    func table(_ source: NavigationSource, make: () -> TableLayout) -> TableLayout {
        if let table = table(source) { return table }
        let made = make()
        return tables.guarded { tables in
            if let table = tables[source] { return table }
            tables[source] = made
            return made
        }
    }
}
