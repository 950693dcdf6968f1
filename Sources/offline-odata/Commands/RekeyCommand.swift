import CommandSupport
import OfflineOData

/// `rekey`: encrypts a store, gives it another key, or makes a plain one of it.
struct RekeyCommand: Command {
    static let name = "rekey"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Encrypts a store, gives it another key, or makes a plain one of it.",
        forms: [
            "STORE [--key @FILE|env:NAME] --new-key @FILE|env:NAME [--json]",
            "STORE --key @FILE|env:NAME --decrypt [--json]",
        ],
        operands: 1...1,
        options: [
            .json,
            .value("new-key", placeholder: "@FILE|env:NAME", help: "the key from now on"),
            .flag("decrypt", help: "have the store in plain text from now on"),
            .value(
                "wait",
                placeholder: "SECONDS",
                help: "time that another process's synchronisation is waited for (0)"
            ),
        ],
        notes: [
            "The store is copied, and the copy takes its place: there has to be room for both, and no other process may have the store open."
                + " Everything in it stays. What a plain file had on the disk may be found there until the disk has written over it.",
            "It takes a SQLite that can encrypt, SQLCipher 4 or SQLite3 Multiple Ciphers, in the place of the system's.",
        ],
        examples: [
            .init("encrypt a store", line: "rekey field.store --new-key @key.txt"),
            .init(
                "give it another key",
                line: "rekey field.store --key @key.txt --new-key env:FIELD_KEY"
            ),
            .init(
                "have it in plain text again",
                line: "rekey field.store --key @key.txt --decrypt"
            ),
        ]
    )

    private let store: String
    private let newKey: OfflineODataEncryptionKey?
    private let wait: Duration
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        store = arguments.operands[0]
        isJSON = arguments.has("json")
        newKey = try StoreKeyOption.key(arguments, option: "new-key")
        wait = try arguments.seconds("wait") ?? .zero
        let decrypts = arguments.has("decrypt")
        guard decrypts != (newKey != nil) else {
            throw .usage("give --new-key @FILE|env:NAME, or --decrypt for a store in plain text")
        }
        guard !decrypts || arguments.value("key") != nil else {
            throw .usage("--decrypt needs --key @FILE|env:NAME, the key that the store has")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: store,
            from: terminal.storeKey,
            to: newKey,
            wait: wait
        )
        try AffectedReport([store]).answer(
            newKey == nil ? "\(store) is in plain text" : "\(store) has its new key",
            isJSON: isJSON,
            on: terminal
        )
        return .done
    }
}
