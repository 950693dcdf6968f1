import ODataText
import ODataURL
import ODataValues
import ODataModel

extension Binder {
    /// Binds a call at the beginning of a path; nil where the rest of the path must be walked.
    mutating func call(
        _ name: String,
        arguments: [WrittenArgument],
        at offset: Int,
        rest: ArraySlice<WrittenMember>,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression? {
        let spelling = version >= .v401 ? name.lowercased() : name
        if spelling == "cast" || spelling == "isof" {
            let conversion = TypeCall(name: spelling, arguments: arguments, offset: offset)
            return try self.conversion(conversion, rest: rest, in: scope)
        }
        if let extra = rest.first {
            throw ODataURLError(
                .notSupported,
                at: extra.offset,
                "the result of a function cannot be followed further"
            )
        }
        if let state = EntityState(function: spelling) {
            return try self.state(state, arguments: arguments, at: offset, in: scope)
        }
        guard let function = FilterFunction(spelling: spelling), isOffered(function) else {
            throw unknownFunction(name, at: offset)
        }
        return try self.function(function, arguments: arguments, at: offset, in: scope)
    }

    /// `contains` is an extension of several services of the older versions.
    private func isOffered(_ function: FilterFunction) -> Bool {
        !function.signature.isOld || !version.isV4
    }

    private func unknownFunction(_ name: String, at offset: Int) -> ODataURLError {
        if model.operations.contains(where: { $0.name == name }) {
            return ODataURLError(
                .notSupported,
                at: offset,
                "functions of the service cannot be computed here",
                found: name
            )
        }
        let known =
            FilterFunction.allCases.map(\.rawValue) + EntityState.allCases.map(\.rawValue)
            + ["cast", "isof", "case"]
        return ODataURLError(
            .unknownName,
            at: offset,
            "there is no function \(name)",
            found: name,
            suggestion: NearestName.of(name, among: known)
        )
    }

    // MARK: Canonical functions

    private mutating func function(
        _ function: FilterFunction,
        arguments: [WrittenArgument],
        at offset: Int,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        try enter(at: offset)
        defer { leave() }
        let signature = function.signature
        let arity = function.arity
        guard arity.contains(arguments.count) else {
            let wanted =
                arity.lowerBound == arity.upperBound
                ? "\(arity.lowerBound)" : "\(arity.lowerBound) to \(arity.upperBound)"
            throw ODataURLError(
                .type,
                at: offset,
                "\(function.rawValue) takes \(wanted) arguments, not \(arguments.count)"
            )
        }
        var bound: [BoundExpression] = []
        for (argument, kind) in zip(arguments, signature.arguments) {
            let value = try expression(argument.value, in: scope, wanted: kind.wanted)
            try expect(kind, value: value, argument: argument, function: function)
            bound.append(value)
        }
        try expectOneKind(bound, function: function, at: offset)
        if function == .substring, bound.count == 3, isNegative(bound[2]) {
            throw ODataURLError(.meaning, at: offset, "substring takes no negative length")
        }
        return .call(function, bound)
    }

    /// Whether a number is written with a minus sign: no text is so long (OData 4.01 Part 2 § 5.1.1.5.7).
    private func isNegative(_ value: BoundExpression) -> Bool {
        switch value {
        case .literal(.integer(let number), _): number < 0
        case .negate(.literal(.integer(let number), _)): number > 0
        default: false
        }
    }

    /// Checks that a function of two strings or two collections does not get one of each.
    private func expectOneKind(
        _ arguments: [BoundExpression],
        function: FilterFunction,
        at offset: Int
    ) throws(ODataURLError) {
        guard function != .substring, arguments.count == 2,
            function.signature.arguments[0] == .textOrCollection
        else { return }
        let kinds = arguments.filter { if case .null = $0 { false } else { true } }
            .map(isCollection)
        guard kinds.contains(true), kinds.contains(false) else { return }
        throw ODataURLError(
            .type,
            at: offset,
            "\(function.rawValue) takes two strings or two collections"
        )
    }

    private func expect(
        _ kind: ArgumentKind,
        value: BoundExpression,
        argument: WrittenArgument,
        function: FilterFunction
    ) throws(ODataURLError) {
        if case .null = value { return }
        if kind == .collection {
            if isCollection(value) { return }
        } else if kind == .textOrCollection, isCollection(value) {
            return
        } else {
            try expectNoCollection(value, writtenAs: argument.value)
            guard let form = value.form else {
                if isUntyped(value) { return }
                throw wrong(kind, argument: argument, function: function)
            }
            if form == .json || kind.accepts(form) { return }
        }
        throw wrong(kind, argument: argument, function: function)
    }

    private func wrong(
        _ kind: ArgumentKind,
        argument: WrittenArgument,
        function: FilterFunction
    ) -> ODataURLError {
        ODataURLError(
            .type,
            at: argument.offset,
            "the argument of \(function.rawValue) has another type",
            expected: [kind.rawValue]
        )
    }

    // MARK: States

    private mutating func state(
        _ state: EntityState,
        arguments: [WrittenArgument],
        at offset: Int,
        in scope: BindingScope
    ) throws(ODataURLError) -> BoundExpression {
        guard arguments.count <= 1 else {
            throw ODataURLError(.type, at: offset, "\(state.rawValue) takes one entity at most")
        }
        guard let argument = arguments.first else {
            guard case .entity = scope.implicit.item, state != .exists else {
                throw ODataURLError(
                    .type,
                    at: offset,
                    "\(state.rawValue) needs an entity",
                    expected: ["a path to an entity"]
                )
            }
            let path = BoundPath(variable: scope.implicit.variable)
            guard let ofRelative = state.ofRelative,
                case .entity(let type, let source) = scope.implicit.item
            else { return .state(state, path) }
            return .relatives(
                of: MemberWalk(path, at: .entity(type, source)),
                areIn: ofRelative,
                below: scope.lambdas.count,
                in: model
            )
        }
        let bound = try expression(argument.value, in: scope)
        guard case .path(let path) = bound, isEntity(path) else {
            throw ODataURLError(
                .type,
                at: argument.offset,
                "\(state.rawValue) needs an entity",
                expected: ["a path to an entity"]
            )
        }
        guard let ofRelative = state.ofRelative else { return .state(state, path) }
        guard case .structured(let type)? = path.type?.type, let source = source(of: path, scope)
        else {
            throw ODataURLError(
                .type,
                at: argument.offset,
                "\(state.rawValue) needs an entity of a set"
            )
        }
        return .relatives(
            of: MemberWalk(path, at: .entity(type, source)),
            areIn: ofRelative,
            below: scope.lambdas.count,
            in: model
        )
    }

    /// Where the entity lives that a path leads to.
    private func source(of path: BoundPath, _ scope: BindingScope) -> NavigationSource? {
        for step in path.steps.reversed() {
            if case .navigation(_, let target) = step { return target }
        }
        let variable = scope.lambdas.map(\.variable).last { $0.variable == path.variable }
        guard case .entity(_, let source) = (variable ?? scope.it ?? scope.implicit).item else {
            return nil
        }
        return source
    }

    /// Returns whether a path leads to an entity.
    func isEntity(_ path: BoundPath) -> Bool {
        guard path.property.isEmpty, path.navigation == nil, let type = path.type,
            case .structured(let id) = type.type
        else { return false }
        return model[id].kind == .entity
    }
}

/// What a canonical function takes in one place.
package enum ArgumentKind: String, Sendable {
    case text = "a string"
    case textOrCollection = "a string or a collection"
    case collection = "a collection"
    case number = "a number"
    case wholeNumber = "a whole number"
    case day = "a date"
    case instant = "a date and time"
    case clock = "a time"
    case span = "a duration"
    case shape = "a geo value"
    case any = "a value"

    /// The form that a literal takes here.
    var wanted: ScalarForm? {
        self == .span ? .duration : nil
    }

    /// Returns whether values of a form may stand here.
    func accepts(_ form: ScalarForm) -> Bool {
        switch self {
        case .text, .textOrCollection: form == .string
        case .collection: false
        case .number: form.isNumeric
        case .wholeNumber:
            switch form {
            case .integer, .scaledDecimal(0): true
            default: false
            }
        case .day: form == .date || form == .dateTimeOffset
        case .instant: form == .dateTimeOffset
        case .clock: form == .timeOfDay || form == .dateTimeOffset || form == .duration
        case .span: form == .duration
        case .shape: form == .json
        case .any: true
        }
    }
}

extension FilterFunction {
    private static let bySpelling: [String: FilterFunction] = {
        var all: [String: FilterFunction] = [:]
        for function in allCases {
            all[function.rawValue] = function
            all[function.rawValue.lowercased()] = function
        }
        return all
    }()

    /// The function of a name as written or in small letters.
    init?(spelling: String) {
        guard let found = Self.bySpelling[spelling] else { return nil }
        self = found
    }
}
