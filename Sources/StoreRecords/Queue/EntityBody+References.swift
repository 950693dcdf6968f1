import ODataAnswers
import ODataTables

extension EntityBody {
    /// What it refers to, at all levels.
    package var references: Set<String> {
        inline.flatMap(\.entities).reduce(into: Set(bindings.map(\.reference))) {
            $0.formUnion($1.references)
        }
    }
}
