import Foundation
import OstiaryCore

extension GetSocialConfiguration: EngineOperation {
    var handler: GetSocialConfigurationHandler { GetSocialConfigurationHandler(call: self) }
}

/// Returns the public settings of the social provider.
struct GetSocialConfigurationHandler: OperationHandler {
    let call: GetSocialConfiguration
    static let action = GetSocialConfiguration.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<SocialConfiguration> {
        guard let configuration = engine.ports.identities.socialConfiguration else { throw AuthError.notConfigured }
        return Outcome(configuration)
    }
}
