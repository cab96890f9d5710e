import OstiaryEngine

extension ControlService {
    /// Performs a command about service keys; nil for every other command.
    func perform(
        _ command: ControlCommand, _ administration: ServerAdministration
    ) async throws -> ControlReply? {
        switch command {
        case .createServiceKey(let request):
            let (key, text) = try await administration.createServiceKey(request.newKey)
            return .serviceKeys([ServiceKeyRecord(key, text: text)], position: nil)
        case .listServiceKeys(let position):
            let (page, next) = try await administration.serviceKeys(
                after: position, limit: ControlCommand.pageSize)
            return .serviceKeys(page.map { ServiceKeyRecord($0) }, position: next)
        case .revokeServiceKey(let id):
            return .serviceKeys([ServiceKeyRecord(try await administration.revokeServiceKey(id))], position: nil)
        default: return nil
        }
    }
}
