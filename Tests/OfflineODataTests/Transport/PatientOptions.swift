import ODataHTTP

extension HTTPRequestOptions {
    /// For tests that are not about time: where all tests begin at once, an answer may come late.
    static var patient: HTTPRequestOptions {
        var options = HTTPRequestOptions()
        options.idleTimeout = .seconds(600)
        return options
    }
}
