import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import type { ZonedFormats } from '../../data/dates/zoned-formats.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { translateMessage } from '../../i18n/index.ts'
import { type SettingContext, targetOfSetting } from './setting-target.ts'

type Verdict = Item<'GET /why/'>['starts'][number]['rules'][number]

interface VerdictsProps {
  readonly rules: readonly Verdict[]
  readonly about: SettingContext
  readonly formats: ZonedFormats
}

/**
 * Lists the rules for one slot in evaluation order. Each line states whether the rule permits the slot, the value that
 * decided, and the setting that contains the value, as a link if the user's role may open its page.
 */
export function Verdicts({ rules, about, formats }: VerdictsProps) {
  const { t } = useTranslation()
  return (
    <Stack component="ol" gap="xs" p={0} m={0}>
      {rules.map((verdict) => {
        const value = valueText(verdict, formats)
        return (
          <Group component="li" key={verdict.rule} gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon size="sm" radius="xl" variant="light" color={verdict.ok ? 'teal' : 'red'} mt={2}>
              {verdict.ok ? (
                <IconCheck size={14} role="img" aria-label={t('why.ok')} />
              ) : (
                <IconX size={14} role="img" aria-label={t('why.notOk')} />
              )}
            </ThemeIcon>
            <div>
              <Text size="sm" fw={500}>
                {t(`why.rules.${verdict.rule}`)}
                {value !== '' && (
                  <Text span inherit fw={400} className="tabular">
                    {' · '}
                    {value}
                  </Text>
                )}
              </Text>
              <Text size="sm" c="dimmed" className="breakable">
                {translateMessage(verdict.message)} {'· '}
                <SettingLink setting={verdict.setting} about={about} />
              </Text>
            </div>
          </Group>
        )
      })}
    </Stack>
  )
}

interface SettingLinkProps {
  readonly setting: string
  readonly about: SettingContext
}

/** The name of a setting, as a link when the user's role may open its page. */
export function SettingLink({ setting, about }: SettingLinkProps) {
  const { t } = useTranslation()
  const { role } = useUser()
  const { to, search, name } = targetOfSetting(setting, about, role)
  return to === undefined ? (
    <span>{name(t)}</span>
  ) : (
    <Anchor component={PanelLink} to={to} search={search} underline="always" inherit>
      {name(t)}
    </Anchor>
  )
}

/**
 * Returns the value that decided whether a rule permits a slot, as text; empty when the rule's message already contains
 * the value.
 */
function valueText({ rule, value }: Verdict, formats: ZonedFormats): string {
  if (typeof value === 'number' && (rule === 'lead_time' || rule === 'horizon')) return formats.dateTime(value)
  const parts = Array.isArray(value) ? value : [value]
  return parts.map((part: unknown) => partText(part, formats)).join(', ')
}

function partText(part: unknown, formats: ZonedFormats): string {
  if (typeof part !== 'object' || part === null) return ''
  const of = new Map(Object.entries(part))
  const number = (name: string): number | undefined => {
    const found: unknown = of.get(name)
    return typeof found === 'number' ? found : undefined
  }
  const [start, end, taken, reserved] = [number('start'), number('end'), number('taken'), number('reserved')]
  if (start !== undefined && end !== undefined) return formats.span({ start, end })
  if (taken !== undefined) return `${taken}/${number('capacity') ?? ''}`
  return reserved === undefined ? '' : `${reserved}/${number('limit') ?? ''}`
}
