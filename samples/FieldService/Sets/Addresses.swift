extension JSONWriter {
    /// Writes an address; towns are the same for one customer, positions differ by a few kilometres.
    mutating func address(_ name: String, row: Int) {
        var random = SplitMix64(.place, row: row)
        let town = Places.town(&random)
        object(name) { writer in
            writer.string("Street", Places.street(in: town, &random))
            let code = town.postalCode + Formats.padded(random.below(1_000), 3)
            writer.string("PostalCode", random.happens(percent: 4) ? nil : code)
            writer.string("City", town.name)
            writer.string("Country", town.country)
            if random.happens(percent: 12) {
                writer.string("Location", nil)
            } else {
                writer.location("Location", near: town, &random)
            }
        }
    }

    /// Writes a position near a town.
    mutating func location(_ name: String, near town: Places.Town, _ random: inout SplitMix64) {
        let latitude = town.latitude + random.number(in: -40_000...40_000)
        let longitude = town.longitude + random.number(in: -40_000...40_000)
        object(name) { writer in
            writer.number("Latitude", Formats.decimal(latitude, digits: 6))
            writer.number("Longitude", Formats.decimal(longitude, digits: 6))
        }
    }
}
