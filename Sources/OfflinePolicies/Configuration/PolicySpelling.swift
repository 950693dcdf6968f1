/// Spellings of policy values that the documentation of the configured libraries uses beside the names in files.
enum PolicySpelling {
    /// Constants of code carry the name of the policy.
    private static let prefixes = [
        "fetchPolicy": "FETCH_POLICY_", "expirationPolicy": "EXPIRATION_POLICY_",
        "evictionPolicy": "EVICTION_POLICY_", "updatePolicy": "UPDATE_POLICY_",
        "conflictResolutionPolicy": "CONFLICT_RESOLUTION_POLICY_",
    ]

    private static let misspellings = [
        "UPDATE_IF_OFFLINE": "QUEUE_IF_OFFLINE",
        "PERIODIC_REFRESH_POLICY_REFRESH_EXPIRED_ITEM_ON_START_UP":
            "PERIODIC_REFRESH_POLICY_REFRESH_EXPIRED_ITEM_ON_STARTUP",
    ]

    /// Whether a word means the value of this name.
    ///
    /// - Parameter setting: The policy whose value it is: another one's prefix is no variant, but a mistake.
    static func isVariant(_ word: String, of name: String, setting: String) -> Bool {
        if misspellings[word] == name { return true }
        if let prefix = prefixes[setting], word.hasPrefix(prefix) {
            let rest = String(word.dropFirst(prefix.count))
            return rest == name || misspellings[rest] == name
        }
        let full = "PERIODIC_REFRESH_POLICY_" + word
        return full == name || misspellings[full] == name
    }
}
