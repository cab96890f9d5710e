import Foundation
import Hummingbird
import OstiaryAdmin

/// A backend that invites customers through the admin API, and receives the events of their accounts.
///
///     export ADMIN_URL=http://127.0.0.1:3002 OSTIARY_ADMIN_KEY=ostk_… WEBHOOK_SECRET=whsec_… APP=vici PORT=8081
///     swift run CustomerBackend
@main
struct CustomerBackend {
    let admin: AdminClient
    let verifier: WebhookVerifier
    let app: String
    let customers = Customers()

    static func main() async throws {
        let environment = Environment()
        func required(_ name: String) throws -> String {
            guard let value = environment.get(name) else { throw MissingVariable(name: name) }
            return value
        }
        guard let url = URL(string: try required("ADMIN_URL")) else { throw MissingVariable(name: "ADMIN_URL") }
        let backend = CustomerBackend(
            admin: try AdminClient(baseURL: url, key: Secret(try required("OSTIARY_ADMIN_KEY"))),
            verifier: try WebhookVerifier(secret: Secret(try required("WEBHOOK_SECRET"))),
            app: try required("APP"))
        let port = environment.get("PORT", as: Int.self) ?? 8081
        try await Application(
            router: backend.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        ).runService()
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in "healthy" }
        router.get("customers") { _, _ in await customers.accounts }
        router.post("customers") { request, context in
            try await invite(try await request.decode(as: Order.self, context: context))
        }
        router.post("events") { request, _ in try await receive(request) }
        return router
    }

    /// Creates the account of a customer. The number of the order makes a repeated request harmless.
    private func invite(_ order: Order) async throws -> EditedResponse<Invitation> {
        let new = AdminAccountCreation(email: order.email, sendsInvitation: true)
        do {
            let account = try await admin.createAccount(new, in: app, idempotencyKey: "order-\(order.order)")
            return EditedResponse(status: .created, response: Invitation(account: account.id))
        } catch AdminError.refused(let problem) where problem.code == "identifier_taken" {
            throw HTTPError(.conflict, message: "There is an account with this address.")
        } catch AdminError.refused(let problem) where problem.status == 400 {
            throw HTTPError(.badRequest, message: "The address is not one.")
        } catch {
            throw HTTPError(.serviceUnavailable, message: "\(error)")
        }
    }

    /// Receives a delivery of the server.
    private func receive(_ request: Request) async throws -> HTTPResponse.Status {
        let body = try await request.body.collect(upTo: 1 << 16)
        let headers = request.headers.filter { $0.name.canonicalName.hasPrefix("webhook-") }
            .map { ($0.name.canonicalName, $0.value) }
        let event: WebhookEvent
        do {
            event = try verifier.verify(body.readableBytesView, headers: Dictionary(headers) { first, _ in first })
        } catch {
            throw HTTPError(.unauthorized, message: "\(error)")
        }
        if event.type == "account.created", let account = event.account {
            await customers.add(account, by: event.id)
        }
        return .noContent
    }
}

/// The customers whose accounts exist. A real service has a table, whose row and event id are one transaction.
actor Customers {
    private(set) var accounts: [String] = []
    private var events: Set<String> = []

    /// Adds an account, once for each event, which can be delivered several times.
    func add(_ account: String, by event: String) {
        if events.insert(event).inserted { accounts.append(account) }
    }
}

/// The request to invite a customer.
struct Order: Decodable {
    let order: Int
    let email: String
}

/// The account that was created for an order.
struct Invitation: ResponseEncodable {
    let account: String
}

/// An environment variable that the service requires and does not find.
struct MissingVariable: Error {
    let name: String
}
