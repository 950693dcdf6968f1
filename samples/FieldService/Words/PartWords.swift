/// What is in the depot.
enum PartWords {
    /// A kind of part: the beginning of its number and its name.
    struct Kind {
        let prefix: String
        let name: String
    }

    static let kinds = [
        Kind(prefix: "PMP", name: "Circulation pump"), Kind(prefix: "VLV", name: "Ball valve"),
        Kind(prefix: "FLT", name: "Air filter"), Kind(prefix: "FUS", name: "Fuse"),
        Kind(prefix: "SEN", name: "Temperature sensor"), Kind(prefix: "SEA", name: "Seal ring"),
        Kind(prefix: "LMP", name: "LED lamp"), Kind(prefix: "CBL", name: "Cable"),
        Kind(prefix: "BRG", name: "Bearing"), Kind(prefix: "RLY", name: "Relay"),
        Kind(prefix: "THM", name: "Thermostat"), Kind(prefix: "BAT", name: "Battery"),
    ]

    static let sizes = [
        "DN 15", "DN 25", "½ inch", "230 V", "24 V", "16 A", "3 × 1.5 mm²", "40 W", "-40…+125 °C",
    ]

    static let descriptions = [
        "Fits all units of series 300 and 400.", "Sold in packs of ten.", "Keep dry.",
        "Replaces the \"classic\" model.", "Read the data sheet:\nC:\\manuals\\parts.pdf",
    ]
}
