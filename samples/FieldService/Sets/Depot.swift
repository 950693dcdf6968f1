extension Population {
    func writeDepot(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.string("Code", "HH-01")
            writer.string("Name", "Central depot")
            writer.string("Phone", "+49 40 555 0100")
            writer.object("Address") { writer in
                writer.string("Street", "Am Kanal 7")
                writer.string("PostalCode", "20097")
                writer.string("City", "Hamburg")
                writer.string("Country", "DE")
                writer.object("Location") { writer in
                    writer.number("Latitude", "53.551100")
                    writer.number("Longitude", "9.993700")
                }
            }
            writer.string("OpensAt", "05:30:00")
            writer.string("ManagerID", technicianID(0))
        }
    }
}
