package import ODataPayload

/// What is wrong with the file of a set.
package struct ImportFault: Error {
    package var set: String
    package var error: PayloadError
}
