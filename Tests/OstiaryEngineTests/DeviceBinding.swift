/// A combination of the challenge at the beginning and the verifier at the end of a sign-in in a browser.
enum DeviceBinding: CaseIterable, Sendable {
    case none, fits, omitted, wrong, plain, short, uncalledFor

    // Source: RFC 7636, Appendix B.
    static let fittingVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let fittingChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    var challenge: String? {
        switch self {
        case .none, .uncalledFor: nil
        case .fits, .omitted, .wrong, .plain, .short: Self.fittingChallenge
        }
    }

    var verifier: String? {
        switch self {
        case .none, .omitted: nil
        case .fits, .uncalledFor: Self.fittingVerifier
        case .wrong: String(Self.fittingVerifier.reversed())
        case .plain: Self.fittingChallenge
        case .short: "short"
        }
    }

    var isAccepted: Bool { [Self.none, .fits].contains(self) }
}
