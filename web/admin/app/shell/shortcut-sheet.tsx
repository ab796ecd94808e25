import { Kbd, Modal, Stack, Table, Title } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { useMay } from '../../data/session.ts'

interface ShortcutSheetProps {
  readonly close: () => void
}

// Several keys of one row are alternatives; keys joined by a plus sign are pressed together.
const everywhere = [
  ['search', ['Ctrl+K', '/']],
  ['book', ['N']],
  ['sheet', ['?']],
  ['close', ['Esc']],
] as const
const ofCalendar = [
  ['beside', ['←', '→']],
  ['today', ['T']],
  ['views', ['D', 'W', 'M']],
  ['zoom', ['+', '−', '0']],
  ['closedHours', ['H']],
  ['colours', ['C']],
  ['print', ['P']],
] as const
const ofCards = [
  ['open', ['Enter']],
  ['move', ['←', '↑', '→', '↓']],
  ['stretch', ['Shift+↑', 'Shift+↓']],
  ['drop', ['Enter']],
] as const
const changing: ReadonlySet<string> = new Set(['book', 'move', 'stretch', 'drop'])

/** The list of all keyboard shortcuts of the panel. */
export default function ShortcutSheet({ close }: ShortcutSheetProps) {
  const { t } = useTranslation()
  const changes = useMay(staff)
  const groups = [
    ['everywhere', everywhere],
    ['calendar', ofCalendar],
    ['cards', ofCards],
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
                  .filter(([what]) => changes || !changing.has(what))
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
