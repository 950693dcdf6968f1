/// An error of the application's own code on its way through the engine, which throws it as it is.
struct ApplicationError: Error {
    let cause: any Error
}
