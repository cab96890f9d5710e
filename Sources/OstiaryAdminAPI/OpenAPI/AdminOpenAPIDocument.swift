import OstiaryContracts
import OstiaryCore

/// The parts of the admin API's OpenAPI document.
struct AdminOpenAPIDocument {
    let operations: [AdminOperation]

    /// The operations by path, in their order, followed by this document's own.
    var paths: JSON {
        var paths: [JSON.Member] = []
        for operation in operations {
            let path = AdminAPI.basePath + operation.path
            let member = JSON.Member(operation.method.rawValue.lowercased(), description(of: operation))
            if let index = paths.firstIndex(where: { $0.name == path }), case .object(let members) = paths[index].value
            {
                paths[index].value = .object(members + [member])
            } else {
                paths.append(JSON.Member(path, .object([member])))
            }
        }
        paths.append(JSON.Member(AdminAPI.basePath + AdminAPI.openAPIPath, ["get": ownDescription]))
        return .object(paths)
    }

    private func description(of operation: AdminOperation) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("operationId", .string(operation.name)), JSON.Member("summary", .string(operation.summary)),
        ]
        if let scope = operation.scope {
            members.append(JSON.Member("description", .string("Needs the scope `\(scope.rawValue)`.")))
            members.append(JSON.Member("x-scope", .string(scope.rawValue)))
        }
        let parameters = self.parameters(of: operation)
        if !parameters.isEmpty { members.append(JSON.Member("parameters", .array(parameters))) }
        if operation.hasBody {
            let mediaType = operation.method == .patch ? AdminMediaType.mergePatch : AdminMediaType.json
            var content = [JSON.Member(mediaType, ["schema": reference(to: operation.body)])]
            if operation.method == .patch {
                content.append(JSON.Member(AdminMediaType.json, ["schema": reference(to: operation.body)]))
            }
            members.append(JSON.Member("requestBody", ["required": true, "content": .object(content)]))
        }
        members.append(JSON.Member("security", [["serviceKey": []]]))
        members.append(
            JSON.Member("responses", .object([success(of: operation)] + statuses(of: operation).map(refusalReference))))
        return .object(members)
    }

    private func parameters(of operation: AdminOperation) -> [JSON] {
        let inPath: [JSON] = operation.pathParameters.map { name in
            [
                "name": .string(name), "in": "path", "required": true,
                "schema": ["type": "string", "minLength": 1, "maxLength": 128],
            ]
        }
        let inQuery: [JSON] = operation.query.memberSchemas.map { member in
            [
                "name": .string(member.name), "in": "query", "required": .boolean(member.presence == .required),
                "schema": member.parameterSchema,
            ]
        }
        guard operation.takesIdempotencyKey else { return inPath + inQuery }
        let key: JSON = [
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Performs the request once, however often it is sent within 24 hours",
            "schema": [
                "type": "string", "minLength": 1, "maxLength": .integer(AdminAPI.maximumIdempotencyKeyBytes),
                "pattern": "^[!-~]+$",
            ],
        ]
        return inPath + inQuery + [key]
    }

    private func success(of operation: AdminOperation) -> JSON.Member {
        var members: [JSON.Member] = [JSON.Member("description", "Success")]
        if operation.status == 201 {
            members.append(
                JSON.Member(
                    "headers",
                    ["Location": ["required": true, "schema": ["type": "string", "format": "uri-reference"]]]))
        }
        if operation.hasAnswer {
            var content = [JSON.Member(AdminMediaType.json, ["schema": reference(to: operation.answer)])]
            if operation.answersLines {
                content.append(JSON.Member(AdminMediaType.lines, ["schema": ["type": "string"]]))
            }
            members.append(JSON.Member("content", .object(content)))
        }
        return JSON.Member(String(operation.status), .object(members))
    }

    private var ownDescription: JSON {
        [
            "operationId": "openAPI", "summary": "This description", "security": [["serviceKey": []]],
            "responses": .object(
                [
                    JSON.Member(
                        "200",
                        [
                            "description": "OpenAPI 3.1",
                            "content": .object([JSON.Member(AdminMediaType.json, ["schema": ["type": "object"]])]),
                        ])
                ] + [400, 401, 405, 421, 429, 503].map(refusalReference)),
        ]
    }

    func reference(to type: any AdminValue.Type) -> JSON {
        ["$ref": .string("#/components/schemas/\(type.schemaName)")]
    }
}
