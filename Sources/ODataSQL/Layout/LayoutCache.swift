import ODataValues
import ODataModel
import Synchronization

/// Tables that have been worked out.
final class LayoutCache: Sendable {
    private let tables = Mutex<[NavigationSource: TableLayout]>([:])
    private let principals = Mutex<[NavigationSource: [PrincipalRelation]]>([:])

    /// Names of link tables that several navigation properties would have.
    private let sharedLinkNames = Mutex<Set<FoldedName>?>(nil)

    /// Returns the names of link tables that several navigation properties would have, worked out by the closure the first time.
    func sharedLinkNames(make: () -> Set<FoldedName>) -> Set<FoldedName> {
        sharedLinkNames.guarded { known in
            if let known { return known }
            let made = make()
            known = made
            return made
        }
    }

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

    /// Returns the principals of a source, worked out by the closure the first time.
    func principals(
        of source: NavigationSource,
        make: () -> [PrincipalRelation]
    ) -> [PrincipalRelation] {
        if let known = principals.guarded({ $0[source] }) { return known }
        let made = make()
        principals.guarded { $0[source] = made }
        return made
    }
}
