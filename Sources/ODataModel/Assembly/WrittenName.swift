/// A type name that is to be looked up, with where a document uses it first.
struct WrittenName {
    var symbol: Int
    var text: String
    var line: Int
    /// Path of the element around, and the name of the element that uses it.
    var owner: String
    var user: String

    /// Path of the element that uses the name.
    var path: String {
        if owner.isEmpty { return user }
        return user.isEmpty ? owner : owner + "/" + user
    }
}
