// Solves the proof of work of a booking form while the visitor reads and types. The script is loaded only where the
// site requires a proof; without a solution, the visitor confirms the e-mail address instead.

const field = document.querySelector('input[data-proof]')
const timeoutMilliseconds = 20_000

/**
 * Resolves with the solution of the challenge, or with undefined when this browser cannot compute one or finds none
 * within 20 seconds.
 */
function solve(challenge) {
  return new Promise((resolve) => {
    // Outside of secure contexts (HTTPS or localhost), browsers provide no key derivation, so there is no solution.
    if (!window.isSecureContext) return resolve()
    const worker = new Worker(field.dataset.worker)
    worker.onmessage = ({ data }) => resolve(data?.derivedKey ? data : undefined)
    worker.onerror = () => resolve()
    worker.postMessage({ type: 'work', challenge, counterStart: 0, counterStep: 1, timeout: timeoutMilliseconds })
  })
}

if (field && !field.value) {
  const challenge = JSON.parse(field.dataset.proof)
  let waiting = true
  const solved = solve(challenge).then((solution) => {
    waiting = false
    if (solution) field.value = btoa(JSON.stringify({ challenge, solution }))
  })
  // While the solution is computed, booking waits. The listener captures the event, since the page's own handler, which
  // runs later, lets a form be sent only once.
  document.addEventListener(
    'submit',
    (event) => {
      if (!waiting || event.submitter?.value !== 'book') return
      event.preventDefault()
      event.stopImmediatePropagation()
      const { submitter, target } = event
      submitter.setAttribute('aria-busy', 'true')
      solved.then(() => {
        submitter.removeAttribute('aria-busy')
        target.requestSubmit(submitter)
      })
    },
    true,
  )
}
