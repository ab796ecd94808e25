import { Kbd, Stack, Table, Title } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { useHasRole } from '../../data/session.ts'

interface ShortcutsDialogProps {
  readonly close: () => void
}

// The rows of the dialog: the translation key of an action, and its alternative shortcuts. The keys of one shortcut,
// such as `Shift+↑`, are pressed together.
const globalShortcuts = [
  ['search', ['Ctrl+K', '/']],
  ['book', ['N']],
  ['sheet', ['?']],
  ['close', ['Esc']],
] as const
const calendarShortcuts = [
  ['beside', ['←', '→']],
  ['today', ['T']],
  ['views', ['D', 'W', 'M']],
  ['zoom', ['+', '−', '0']],
  ['closedHours', ['H']],
  ['colours', ['C']],
  ['print', ['P']],
] as const
const cardShortcuts = [
  ['open', ['Enter']],
  ['move', ['←', '↑', '→', '↓']],
  ['stretch', ['Shift+↑', 'Shift+↓']],
  ['drop', ['Enter']],
] as const
const editingShortcuts: ReadonlySet<string> = new Set(['book', 'move', 'stretch', 'drop'])

/** The list of all keyboard shortcuts of the panel. */
export default function ShortcutsDialog({ close }: ShortcutsDialogProps) {
  const { t } = useTranslation()
  const changes = useHasRole(staff)
  const groups = [
    ['everywhere', globalShortcuts],
    ['calendar', calendarShortcuts],
    ['cards', cardShortcuts],
  ] as const
  return (
    <Modal opened onClose={close} title={t('shortcuts.title')}>
      <Stack>
        {groups.map(([group, rows]) => (
          <section key={group}>
            <Title order={3} size="sm" mb={4}>
              {t(`shortcuts.groups.${group}`)}
            </Title>
            <Table verticalSpacing={4} layout="fixed">
              <Table.Tbody>
                {rows
                  .filter(([what]) => changes || !editingShortcuts.has(what))
                  .map(([what, keys]) => (
                    <Table.Tr key={what}>
                      <Table.Th scope="row" fw={400} w="60%">
                        {t(`shortcuts.keys.${what}`)}
                      </Table.Th>
                      <Table.Td>
                        {keys.map((one, index) => (
                          <Fragment key={one}>
                            {index > 0 && ' '}
                            <Kbd>{one}</Kbd>
                          </Fragment>
                        ))}
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
