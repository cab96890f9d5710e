public import OstiaryContracts
import OstiaryCore

extension AdminAPI {
    /// Returns the API as an OpenAPI 3.1 document: every operation with its parameters, scope, answers and refusals.
    ///
    /// - Parameters:
    ///   - version: The version of the server.
    ///   - serverURL: The URL of the admin listener; `/` if nil.
    ///
    /// Source: OpenAPI Specification 3.1.0.
    public static func openAPI(version: String, serverURL: String? = nil) -> JSON {
        let document = AdminOpenAPIDocument(operations: operations)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Ostiary admin API", "description": "Administration of accounts, roles, events and keys",
                "version": .string(version),
            ],
            "servers": [["url": .string(serverURL ?? "/")]],
            "paths": document.paths,
            "components": [
                "schemas": document.schemas, "responses": document.refusals,
                "securitySchemes": [
                    "serviceKey": [
                        "type": "http", "scheme": "bearer", "bearerFormat": .string(keyPrefix + "<id>_<secret>"),
                    ]
                ],
            ],
        ]
    }
}
