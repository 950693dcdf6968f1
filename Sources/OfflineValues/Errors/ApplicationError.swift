/// An error of the application's own code on its way through the engine, which throws it as it is.
package struct ApplicationError: Error {
    package let cause: any Error

    package init(cause: any Error) {
        self.cause = cause
    }
}
