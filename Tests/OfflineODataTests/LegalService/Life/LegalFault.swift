/// What happens to one request on its way.
enum LegalFault: String, CaseIterable, Sendable {
    case lostBefore, lostAfter
    case cutEarly, cutLate, garbage
    case busy, unavailable, failedBefore, failedAfter, gatewayAfter, errorPageAfter, unauthorized
    case cancelBefore, cancelAfter
    case killBefore, killAfter
}
