import Foundation
@testable import OstiaryEngine
import Testing

/// The signals of a sign-in, their weights and levels. Pure.
@Suite struct SignInCircumstancesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let berlin = Coordinates(latitude: 52.52, longitude: 13.4, radiusKilometers: 20)
    private static let munich = Coordinates(latitude: 48.14, longitude: 11.58, radiusKilometers: 20)
    private static let newYork = Coordinates(latitude: 40.71, longitude: -74, radiusKilometers: 50)
    private static let home = NetworkLocation(country: "DE", systemNumber: 64_500, coordinates: berlin)

    /// A sign-in from home, from a recognized network, an hour after the last.
    private static var usual: SignInCircumstances {
        SignInCircumstances(
            now: now, recognition: Recognition(isNetworkKnown: true), isLocal: false, location: home,
            lastSignInAt: now - 3600, history: history(now - 3600), hasCompromisedPassword: false,
            hasNetworkFailures: false)
    }

    private static func history(_ at: Date) -> SignInHistory {
        SignInHistory().recording(home, at: at) ?? SignInHistory()
    }

    private func signals(_ change: (inout SignInCircumstances) -> Void) -> [RiskSignal] {
        var circumstances = Self.usual
        change(&circumstances)
        return circumstances.assessment.signals
    }

    @Test func `a usual sign-in has no signal`() { #expect(signals { _ in } == []) }

    @Test func `each fact is a signal of its own`() {
        #expect(signals { $0.recognition = Recognition() } == [.unrecognizedDevice])
        #expect(signals { $0.location.country = "AT" } == [.newCountry])
        #expect(signals { $0.location.systemNumber = 64_501 } == [.newSystem])
        #expect(signals { $0.location.coordinates = Self.newYork } == [.impossibleTravel])
        #expect(signals { $0.hasNetworkFailures = true } == [.networkFailures])
        #expect(signals { $0.location.isAnonymizing = true } == [.anonymizingNetwork])
        #expect(signals { $0.hasCompromisedPassword = true } == [.compromisedPassword])
        #expect(signals { $0.lastSignInAt = Self.now - 180 * 86_400 } == [.dormantAccount])
        #expect(signals { $0.history.resetAt = Self.now - 86_399 } == [.recentReset])
        #expect(signals { $0.recognition = Recognition(isDeviceRecognized: true) } == [.recognizedDevice])
    }

    @Test func `a fact just below its bound is no signal`() {
        #expect(signals { $0.lastSignInAt = Self.now - 180 * 86_400 + 1 } == [])
        #expect(signals { $0.history.resetAt = Self.now - 86_400 } == [])
        #expect(signals { $0.history.resetAt = Self.now + 1 } == [])
        // Munich is 504 km from Berlin, of which the radii leave less than 500.
        #expect(signals { $0.location.coordinates = Self.munich } == [])
        // 6,385 km, less both radii, are 6,315 km: seven hours and a minute at 900 km/h.
        for (seconds, expected) in [(25_200.0, [RiskSignal.impossibleTravel]), (25_320, [])] {
            #expect(
                signals {
                    $0.location.coordinates = Self.newYork
                    $0.history.place?.at = Self.now - seconds
                } == expected)
        }
    }

    @Test func `without a sign-in before, the signals that compare with one are absent`() {
        let first = signals {
            $0.recognition = Recognition()
            $0.location = NetworkLocation(country: "US", systemNumber: 1, coordinates: Self.newYork)
            $0.lastSignInAt = nil
            $0.history = SignInHistory()
        }
        #expect(first == [])
    }

    @Test func `an account without a location in its history has no new country`() {
        let signals = signals {
            $0.location = NetworkLocation(country: "US", systemNumber: 1, coordinates: Self.newYork)
            $0.history = SignInHistory()
        }
        #expect(signals == [])
    }

    @Test func `a sign-in that is older than 90 days is compared with no more`() {
        let signals = signals {
            $0.history = Self.history(Self.now - 90 * 86_400)
            $0.location = NetworkLocation(country: "US", systemNumber: 1, coordinates: Self.newYork)
        }
        #expect(signals == [])
    }

    @Test func `a caller inside the process has no unrecognized device`() {
        #expect(
            signals {
                $0.recognition = Recognition()
                $0.isLocal = true
            } == [])
    }

    @Test func `levels begin at 30 and 70 points`() {
        #expect(
            [-40, 0, 29, 30, 69, 70, 180].map(RiskLevel.init(score:)) == [
                .low, .low, .low, .medium, .medium, .high, .high,
            ])
        let stolen = RiskAssessment(signals: [.unrecognizedDevice, .newCountry, .newSystem, .impossibleTravel])
        #expect(stolen.score == 95 && stolen.level == .high)
        // The owner's device on a journey.
        let journey = RiskAssessment(signals: [.newCountry, .newSystem, .impossibleTravel, .recognizedDevice])
        #expect(journey.score == 25 && journey.level == .low)
    }

    @Test func `the weights are those of the requirement`() {
        #expect(RiskSignal.allCases.map(\.weight) == [30, 25, 10, 30, 20, 15, 20, 20, 15, -40])
    }

    @Test func `a history keeps the newest of 20 countries, and a coarse place`() throws {
        var history = SignInHistory()
        for number in 0..<30 {
            let country = "\(UnicodeScalar(UInt8(65 + number / 26)))\(UnicodeScalar(UInt8(65 + number % 26)))"
            let location = NetworkLocation(
                country: country, systemNumber: UInt32(number),
                coordinates: Coordinates(latitude: 52.5234, longitude: 13.4114, radiusKilometers: 1))
            history = try #require(history.recording(location, at: Self.now + Double(number)))
        }
        #expect(history.countries.count == 20 && history.countries["AA"] == nil && history.countries["BD"] != nil)
        #expect(history.systems.count == 20)
        #expect(
            history.place?.coordinates == Coordinates(latitude: 52.5, longitude: 13.4, radiusKilometers: 10))
    }

    @Test func `a sign-in from the same place is recorded once an hour`() {
        let history = Self.history(Self.now)
        #expect(history.recording(Self.home, at: Self.now + 3599) == nil)
        #expect(history.recording(Self.home, at: Self.now + 3600)?.countries == ["DE": Self.now + 3600])
        #expect(history.recording(NetworkLocation(), at: Self.now + 7200) == nil)
    }
}
