/// A part of a model that is written as bytes, and read in the same order.
protocol Compilable {
    init(from reader: inout ModelReader) throws(DamagedModel)

    func write(to writer: inout ModelWriter)
}
