import ODataValues
import ODataSQLite
import ODataSQL

/// The members of a shape as plain values side by side: walking through them for each row counts no references.
struct RowSteps: Sendable {
    /// A member of a row.
    struct Step {
        /// How the member is read.
        enum Kind {
            case scalar
            case json
            /// As the shape's piece says.
            case piece
        }

        var kind: Kind
        var column = 0
        /// Where its name lies in `names`, with the comma before and the colon behind it.
        var name = 0..<0
        /// Where the name of its exact text lies in `names`.
        var exact = 0..<0
        var form = JSONScalarForm(.string)
        /// The storage class that a value not known here has (see `UnknownValue`).
        var unknown = StorageClass.blob
        /// Index of the piece.
        var piece = 0
    }

    private(set) var steps: [Step] = []
    private(set) var names: [UInt8] = []
    /// Bytes that the members of a row take at most, but for long texts.
    private(set) var room = 0

    init(_ pieces: [RowShape.Piece]) {
        for (index, piece) in pieces.enumerated() {
            var step = step(piece)
            step.piece = index
            if step.kind == .scalar {
                room += OutputSpan.memberRoom(nameCount: step.name.count, step.form)
            }
            steps.append(step)
        }
    }

    private mutating func step(_ piece: RowShape.Piece) -> Step {
        switch piece {
        case .scalar(let scalar):
            // The names of members are asked of the enumeration, and of a dynamic value what it is.
            guard let form = scalar.form.plain, !scalar.isDynamic else { return Step(kind: .piece) }
            let unknown: StorageClass = scalar.form.form.affinity == "BLOB" ? .text : .blob
            return Step(
                kind: .scalar,
                column: scalar.column,
                name: keep(scalar.name.prepared),
                exact: keep(Array(scalar.exactName.utf8)),
                form: form,
                unknown: unknown
            )
        case .json(let name, let column):
            return Step(
                kind: .json,
                column: column,
                name: keep(name.prepared),
                form: JSONScalarForm(.json)
            )
        default: return Step(kind: .piece)
        }
    }

    private mutating func keep(_ name: [UInt8]) -> Range<Int> {
        let start = names.count
        names += name
        return start..<names.count
    }
}
