import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin`: sign-ins over time by outcome, methods, active accounts, registrations, and what fails.
struct OverviewPage: ConsolePage {
    /// A range of time that the page shows up to now.
    enum Range: String, CaseIterable {
        case day, week, month

        var days: Int {
            switch self {
            case .day: 1
            case .week: 7
            case .month: 30
            }
        }

        var interval: StatisticsInterval { self == .day ? .hour : .day }
    }

    private static let listedOutcomes = 8

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        let range = request.query["range"].flatMap(Range.init) ?? .week
        let summary = try await summary(of: range, request)
        var view = request.view(texts.title(of: .overview), in: .overview)
        var blocks = [figures(summary, range, request), chart(summary, range, request)]
        blocks.append(shares(summary, request))
        if let block = outcomes(summary, request) { blocks.append(block) }
        blocks.append(try await failures(request))
        view.blocks = blocks
        return request.response(view)
    }

    private func summary(of range: Range, _ request: AdministratorRequest) async throws -> StatisticsSummary {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let now = request.now
        let from = now.addingTimeInterval(-Double(range.days) * 86_400)
        let query = StatisticsQuery(
            from: range == .day ? from : calendar.startOfDay(for: from.addingTimeInterval(86_400)), to: now,
            interval: range.interval)
        var summary = StatisticsSummary()
        for app in request.administration.apps {
            if let name = request.query["app"], !name.utf8.elementsEqual(app.name.text.utf8) { continue }
            summary.add(try await request.administration.app(app.name.text).statistics(query))
        }
        return summary
    }

    private func figures(
        _ summary: StatisticsSummary, _ range: Range, _ request: AdministratorRequest
    ) -> ConsoleView.Block {
        let (texts, query) = (request.texts, request.query)
        var block = ConsoleView.Block("figures", nil)
        block.filter = ConsoleView.Filter(
            filterAction: ConsolePath.overview.path,
            filterFields: [
                request.appField(selected: query["app"] ?? "", all: texts.everyApp),
                .choice("range", texts.range, any: nil, Range.allCases, selected: range.rawValue) {
                    ($0.rawValue, texts.name(of: $0))
                },
            ], filterButton: texts.show, resetURL: nil, resetText: texts.reset)
        block.tiles = ConsoleView.Tiles(
            figures: [
                figure(texts.signIns, summary.attempts.succeeded),
                ConsoleView.Tiles.Figure(
                    figureLabel: texts.successRate, figureValue: Self.percent(summary.attempts.successRate)),
                figure(texts.registrations, summary.registrations), figure(texts.activeToday, summary.activeToday),
                figure(texts.activeThisWeek, summary.activeThisWeek),
                figure(texts.activeThisMonth, summary.activeThisMonth),
            ])
        return block
    }

    private func figure(_ label: String, _ value: Int) -> ConsoleView.Tiles.Figure {
        ConsoleView.Tiles.Figure(figureLabel: label, figureValue: "\(value)")
    }

    private static func percent(_ share: Double?) -> String {
        share.map { "\(Int(($0 * 100).rounded())) %" } ?? ConsoleView.Cell.none
    }

    private func chart(
        _ summary: StatisticsSummary, _ range: Range, _ request: AdministratorRequest
    ) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block("sign-ins", texts.signInsOverTime)
        guard summary.attempts.attempts > 0 else {
            block.empty = texts.noSignIns
            return block
        }
        let titles = summary.items.map { Self.title(of: $0.start, range) }
        block.chart = ConsoleView.Chart(
            label: texts.signInsOverTime, series: [texts.succeeded, texts.failed, texts.pending],
            steps: zip(titles, summary.items).map { title, item in
                (title, [item.attempts.succeeded, item.attempts.failed, item.attempts.pending])
            }, columns: [texts.timeInUTC, texts.succeeded, texts.failed, texts.pending], start: titles.first ?? "",
            end: titles.last ?? "")
        return block
    }

    /// Returns the day, or the hour of a day, in UTC: `2026-11-25`, `2026-11-25 10:00`.
    private static func title(of start: Date, _ range: Range) -> String {
        String(start.timeInUTC.prefix(range == .day ? 16 : 10))
    }

    private func shares(_ summary: StatisticsSummary, _ request: AdministratorRequest) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block("methods", texts.methodShares)
        guard !summary.methods.isEmpty else {
            block.empty = texts.noSignIns
            return block
        }
        block.table = table(texts.methodShares, texts.method, summary.methods, request)
        return block
    }

    private func outcomes(_ summary: StatisticsSummary, _ request: AdministratorRequest) -> ConsoleView.Block? {
        let texts = request.texts
        let refused = summary.outcomes.filter { AuditEvent.isRefusal($0.key) }
        guard !refused.isEmpty else { return nil }
        var block = ConsoleView.Block("outcomes", texts.refusals)
        block.table = table(texts.refusals, texts.outcome, refused, request)
        return block
    }

    /// Returns counts with their shares, the highest first.
    private func table(
        _ caption: String, _ column: String, _ counts: [String: Int], _ request: AdministratorRequest
    ) -> ConsoleView.Table {
        let texts = request.texts
        let all = max(1, counts.values.reduce(0, +))
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.listedOutcomes)
        return ConsoleView.Table(
            caption, [column, texts.count, texts.share], numeric: [1],
            sorted.map { name, count in
                let share = Double(count) / Double(all)
                return [
                    ConsoleView.Cell.text(column, name).asRowHeader, .number(texts.count, count),
                    ConsoleView.Cell(
                        cellLabel: texts.share, cellText: Self.percent(share),
                        cellBar: ConsoleView.Bar(barWidth: Int((share * 100).rounded()))),
                ]
            })
    }

    private func failures(_ request: AdministratorRequest) async throws -> ConsoleView.Block {
        var block = try await MessagesPage.failures("failures", request)
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.messages.url([("state", Message.State.failed.rawValue)]),
                    actionText: request.texts.allMessages)
            ])
        return block
    }
}
