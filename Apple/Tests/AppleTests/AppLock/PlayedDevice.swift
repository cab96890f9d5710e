import Foundation
import LocalAuthentication

@testable import OstiaryClient

/// A device and its owner, simulated by the test.
final class PlayedDevice: Sendable {
    let shim = LAContext.ShimDevice()

    func prompt() -> DevicePrompt { DevicePrompt(LAContext(shim: shim)) }

    func play(_ change: (inout LAContext.Script) -> Void) {
        var script = shim.script
        change(&script)
        shim.script = script
    }

    var prompts: Int { shim.asked.count }
}
