import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension PersonActionPage {
    /// Returns everything that is kept about a person as a file, in the form of the admin API's export.
    func export(_ id: AccountID, _ administration: Administration) async throws -> ServerResponse {
        var response = ServerResponse(
            status: 200,
            headers: [
                "content-type": AdminMediaType.json,
                "content-disposition": "attachment; filename=\"\(person.app)-\(id.text).json\"",
            ])
        response.stream = try await administration.personalData(of: id).export(administration.settings)
        return response
    }
}
