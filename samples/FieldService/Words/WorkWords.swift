/// What field service technicians write.
enum WorkWords {
    static let verbs = [
        "Replace", "Inspect", "Repair", "Clean", "Adjust", "Install", "Test", "Remove", "Calibrate",
    ]

    static let objects = [
        "circulation pump", "boiler", "lift door", "air filter", "heat exchanger", "fuse box",
        "smoke detector", "roof fan", "cooling unit", "network cabinet", "water meter",
        "pressure valve", "emergency light", "door closer", "solar inverter", "drain",
    ]

    static let places = [
        "in the basement", "on the 2nd floor", "in the kitchen", "at the east entrance",
        "in the plant room", "on the roof", "in the server room", "in stairwell B", "in room 4711",
    ]

    static let remarks = [
        "Caller reports a knocking noise.", "Access only before 9:00.", "Key is at the reception.",
        "Part was ordered last week.", "The customer wants to be called first.",
        "Second visit: the first repair did not last.", "Water damage on the ceiling below.",
        "Please take photos.", "Beware of the dog.", "Warranty ends this month.",
        "Bitte beim Pförtner melden.", "Prévoir deux personnes.", "Proszę dzwonić przed wizytą.",
        "50% of the lamps are dark.", "Use ladder no. 3_b.", "Temperature was 71 °C at 14:05.",
    ]

    static let steps = [
        "Switch off the power", "Close the main valve", "Take readings", "Remove the cover",
        "Replace the seal", "Check for leaks", "Measure the resistance", "Update the firmware",
        "Refill and vent", "Tidy up the place", "Take photos", "Get the signature",
        "Explain the operation", "Dispose of old parts",
    ]

    static let comments = [
        "Traffic jam on the ring road", "Waited for the caretaker", "Done, no remarks",
        "Had to fetch a longer ladder", "Needs a second visit", "Ok", "Überstunden", "✅ fertig",
    ]

    static let tags = [
        "warranty", "contract", "follow-up", "night shift", "VIP", "two people", "ladder", "Kälte",
    ]

    static let hazards = [
        "Gas leak", "Water ingress", "Person in lift", "Power failure", "Smoke", "Frost damage",
    ]

    static let certificates = [
        "First aid", "High voltage", "Refrigerants", "Working at height", "Forklift", "Hot work",
    ]
}
