import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension PersonActionPage {
    /// Returns everything that is kept about a person as a file, in the form of the admin API's export.
    func export(_ id: AccountID, _ administration: Administration) async throws -> ServerResponse {
        let export = AdminExport(try await administration.personalData(of: id), administration.settings)
        return ServerResponse(
            status: 200,
            headers: [
                "content-type": AdminMediaType.json,
                "content-disposition": "attachment; filename=\"\(person.app)-\(id.text).json\"",
            ], body: export.json.bytes)
    }
}
