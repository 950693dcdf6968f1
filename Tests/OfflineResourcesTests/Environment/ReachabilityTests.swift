import Testing

@testable import OfflineResources

@Suite struct ReachabilityTests {
    @Test(arguments: [
        "http://localhost:8080/odata/", "http://127.0.0.1/", "https://user:pass@127.1.2.3:1/x",
        "http://[::1]:9/odata", "http://test.localhost/",
    ])
    func takesTheDeviceItselfAsReachable(_ root: String) {
        #expect(SystemReachability.isLocal(root))
        #expect(SystemReachability(serviceRoot: root).isReachable)
    }

    @Test(arguments: [
        "http://example.org/odata/", "http://127.example.org/", "http://localhost.example.org/",
        "http://[2001:db8::1]/", "example.org",
    ])
    func asksTheSystemAboutOthers(_ root: String) {
        #expect(!SystemReachability.isLocal(root))
    }

    @Test func answersWhatTheSystemSays() async {
        let network = SystemReachability(serviceRoot: "http://example.org/")
        // Either is right; it answers without waiting, and its changes can be listened for.
        #expect([true, false].contains(network.isReachable))
        let listening = Task { for await _ in network.changes() { return } }
        listening.cancel()
        await listening.value
    }

    @Test func reportsChangesOnce() async {
        let network = ManualReachability()
        var changes = network.changes().makeAsyncIterator()
        network.set(isReachable: true)
        network.set(isReachable: false)
        #expect(await changes.next() == false)
        #expect(!network.isReachable)
    }
}
