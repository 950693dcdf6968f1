import Testing

@testable import ODataBinding

/// The table of canonical functions: each row says what it takes, gives and is in SQL.
@Suite struct FunctionTableTests {
    @Test(arguments: FilterFunction.allCases)
    func namesItsArgumentsInItsSQL(_ function: FilterFunction) {
        let signature = function.signature
        let arguments = signature.arguments.indices.map { "argument\($0)" }
        guard let sql = signature.sql(of: arguments) else { return }
        #expect(!sql.contains("%"))
        for argument in arguments { #expect(sql.contains(argument)) }
    }

    @Test(arguments: FilterFunction.allCases)
    func requiresNoMoreArgumentsThanItTakes(_ function: FilterFunction) {
        #expect(function.arity.upperBound == function.signature.arguments.count)
        #expect(function.arity.lowerBound >= 0)
    }

    @Test func putsArgumentsInTheirPlaces() {
        #expect(FilterFunction.substringof.signature.sql(of: ["a", "b"]) == "instr(b, a) > 0")
        #expect(FilterFunction.concat.signature.sql(of: ["a", "b"]) == "(a || b)")
        #expect(FilterFunction.substring.signature.sql(of: ["a", "1"]) == "odata_substring(a, 1)")
        #expect(FilterFunction.round.signature.sql(of: ["a"]) == nil)
    }
}
