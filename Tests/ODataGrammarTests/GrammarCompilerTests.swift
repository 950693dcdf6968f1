import TestSupport
import Testing

@testable import ODataGrammar

@Suite struct GrammarCompilerTests {
    /// The rules are our own, so a fault in them is one of the program.
    @Test(arguments: ["a = %x61 ) %x62", "a = %x61 ]"])
    func refusesARuleThatGoesOnAfterItsEnd(_ rule: String) async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) { [rule = rule as String] in
            Trap.endWithoutReport()
            var compiler = GrammarCompiler()
            compiler.add(rule)
            _ = compiler.finished()
        }
        #expect(
            Trap.isReported("rule a goes on after its end", in: result?.standardErrorContent)
        )
    }
}
