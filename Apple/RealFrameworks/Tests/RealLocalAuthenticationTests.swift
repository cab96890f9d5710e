import Foundation
import LocalAuthentication
import Testing

@testable import OstiaryClient

/// Tests of LocalAuthentication on a machine without enrolled biometrics.
struct RealLocalAuthenticationTests {
    @Test func `says why the person cannot be asked`() {
        let prompt = DevicePrompt(LAContext())
        let reasons: [LAError.Code] = [.biometryNotEnrolled, .biometryNotAvailable, .passcodeNotSet]
        let problem = prompt.problem(.deviceOwnerAuthenticationWithBiometrics)
        #expect(problem.map(reasons.contains) == true, "\(String(describing: problem))")
    }

    @Test func `refuses at once what it could not ask`() async {
        let code = await DevicePrompt(LAContext()).ask(.deviceOwnerAuthenticationWithBiometrics, "For the tests.")
        #expect(code != nil)
    }
}
