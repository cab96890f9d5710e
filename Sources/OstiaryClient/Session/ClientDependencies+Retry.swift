extension ClientDependencies {
    /// Starts a task that repeats `step` with exponential backoff for as long as it returns `true`.
    ///
    /// - Parameters:
    ///   - first: The pause before the first step, doubled after each step.
    ///   - longest: The upper limit of a pause.
    ///   - step: The work to repeat. It must hold its owner weakly, so that the task keeps no client alive.
    func retry(
        first: Duration, longest: Duration, _ step: @escaping @Sendable () async -> Bool
    ) -> Task<Void, Never> {
        Task {
            var wait = first
            while (try? await sleep(wait)) != nil, await step() { wait = min(longest, wait * 2) }
        }
    }
}
