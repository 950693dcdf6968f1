import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Checks that values of two expressions can be compared.
    func expectComparable(
        _ left: BoundExpression,
        _ right: BoundExpression,
        operation: ComparisonOperator,
        at offset: Int
    ) throws(ODataURLError) {
        if case .null = left { return }
        if case .null = right { return }
        // Values of these kinds may be equal to others of their kind (OData 4.01 Part 2 § 5.1.1.1.1).
        let isEquality = operation == .equal || operation == .notEqual
        guard !isCollection(left), !isCollection(right) else {
            let isWrong = !isEquality || isCollection(left) != isCollection(right)
            throw ODataURLError(
                isWrong ? .type : .notSupported,
                at: offset,
                "a collection cannot be compared"
            )
        }
        if isUntyped(left) || isUntyped(right) { return }
        guard let one = left.form, let other = right.form else {
            throw ODataURLError(
                isEquality && left.form == nil && right.form == nil ? .notSupported : .type,
                at: offset,
                "an entity or complex value can be compared with null only"
            )
        }
        guard areComparable(one, other) else {
            throw ODataURLError(
                .type,
                at: offset,
                "\(describe(one)) and \(describe(other)) cannot be compared",
                expected: [describe(one)]
            )
        }
        if operation != .equal, operation != .notEqual, one == .binary || one == .json {
            throw ODataURLError(.type, at: offset, "values of \(describe(one)) have no order")
        }
    }

    private func areComparable(_ left: ScalarForm, _ right: ScalarForm) -> Bool {
        left == right || left.isNumeric && right.isNumeric || left == .json || right == .json
    }

    /// Checks that an expression is one value.
    func expectNoCollection(_ bound: BoundExpression, writtenAs written: WrittenExpression)
        throws(ODataURLError)
    {
        guard isCollection(bound) else { return }
        throw ODataURLError(
            .type,
            at: written.offset,
            "a collection stands where one value is needed",
            expected: ["any(…)", "all(…)", "$count"]
        )
    }

    /// Checks that an expression is a primitive value: no other has a form in which an answer could show it.
    func expectPlainValue(_ bound: BoundExpression, writtenAs written: WrittenExpression)
        throws(ODataURLError)
    {
        guard !isPlain(bound) else { return }
        throw ODataURLError(
            .notSupported,
            at: written.offset,
            "only primitive values are computed; complex values, collections, entities and streams are not offered",
            expected: ["a primitive value"]
        )
    }

    /// Whether an expression is a primitive value, or one whose type is not known.
    private func isPlain(_ bound: BoundExpression) -> Bool {
        switch bound {
        case .path(let path):
            path.isComputed || path.form != nil && !isCollection(bound) || isUntyped(bound)
        case .conditional(let branches): branches.allSatisfy { isPlain($0.value) }
        default: !isCollection(bound)
        }
    }

    /// Returns whether an expression is a collection.
    func isCollection(_ bound: BoundExpression) -> Bool {
        switch bound {
        case .list: true
        case .path(let path):
            path.type?.isCollection ?? false
                || path.navigation.map { model[$0].isCollection } ?? false
        case .call(.concat, let arguments), .call(.substring, let arguments):
            arguments.first.map(isCollection) ?? false
        default: false
        }
    }

    /// Returns whether nothing is known of a value's type: dynamic properties.
    func isUntyped(_ bound: BoundExpression) -> Bool {
        switch bound {
        case .path(let path): path.type == nil && path.navigation == nil && !path.property.isEmpty
        case .variable(_, let form): form == nil || form == .json
        case .conditional, .arithmetic, .negate: bound.form == nil
        case .call: bound.form == nil
        default: false
        }
    }

    /// Returns how people call a form.
    func describe(_ form: ScalarForm) -> String {
        switch form {
        case .boolean: "Edm.Boolean"
        case .integer(let type): type.rawValue
        case .single: "Edm.Single"
        case .double: "Edm.Double"
        case .scaledDecimal, .decimalText: "Edm.Decimal"
        case .string: "Edm.String"
        case .guid: "Edm.Guid"
        case .binary: "Edm.Binary"
        case .date: "Edm.Date"
        case .timeOfDay: version.isV4 ? "Edm.TimeOfDay" : "Edm.Time"
        case .duration: "Edm.Duration"
        case .dateTimeOffset: version.isV4 ? "Edm.DateTimeOffset" : "Edm.DateTime"
        case .enumeration(let id): model[id].name
        case .json: "Edm.Untyped"
        }
    }
}
