import Testing

@testable import ODataBinding

/// The table of canonical functions: each row says what it takes, gives and is in SQL.
@Suite struct FunctionTableTests {
    @Test(arguments: FilterFunction.allCases)
    func namesItsArgumentsInItsSQL(_ function: FilterFunction) {
        let signature = function.signature
        let arguments = signature.arguments.indices.map { "argument\($0)" }
        for case .text(let text)? in [signature.sql, signature.collections] {
            let sql = FunctionSQL.filled(text, with: arguments)
            #expect(!sql.contains("%"))
            for argument in arguments { #expect(sql.contains(argument)) }
        }
    }

    @Test(arguments: FilterFunction.allCases)
    func hasSQLUnlessItIsOfShapes(_ function: FilterFunction) {
        let signature = function.signature
        let isOfShapes = function.rawValue.hasPrefix("geo.")
        #expect((signature.sql == nil && signature.collections == nil) == isOfShapes)
    }

    @Test(arguments: FilterFunction.allCases)
    func requiresNoMoreArgumentsThanItTakes(_ function: FilterFunction) {
        #expect(function.arity.upperBound == function.signature.arguments.count)
        #expect(function.arity.lowerBound >= 0)
    }

    @Test(arguments: [
        ("instr(%2, %1) > 0", ["a", "b"], "instr(b, a) > 0"),
        ("(%1 || %2)", ["a", "b"], "(a || b)"),
        ("f(%*)", ["a", "1"], "f(a, 1)"),
        ("1", [], "1"),
    ])
    func putsArgumentsInTheirPlaces(_ text: String, _ arguments: [String], _ sql: String) {
        #expect(FunctionSQL.filled(text, with: arguments) == sql)
    }
}
