import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NotAllowed } from '../../app/not-allowed.tsx'
import { PanelLink, Redirect } from '../../components/panel-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { useUser } from '../../data/session.ts'
import { FirstBooking } from './first-booking.tsx'
import { FirstProvider, FirstService, FirstSite } from './first-forms.tsx'
import { type FirstStep, firstSteps, useProgress } from './first-steps.ts'

/**
 * The guide from a new installation to a first booking: site, services, providers, booking. Users can leave and resume
 * it.
 */
export default function FirstRun() {
  const { role } = useUser()
  return role === 'admin' ? <Steps /> : <NotAllowed />
}

function Steps() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const { done, error, refetch } = useProgress()
  const step = firstSteps.find((one) => one === parameters.step) ?? (done && firstSteps.find((one) => !done[one]))
  const open = (wanted: FirstStep): void => change({ step: wanted })
  if (done && step === undefined) return <Redirect href="/" />
  return (
    <Screen title={t('firstRun.title')} text={t('firstRun.text')}>
      {done && step ? (
        <Stack maw={720} gap="md">
          <Group component="ol" gap="xs" p={0} m={0} aria-label={t('firstRun.title')}>
            {firstSteps.map((one, at) => (
              <li key={one} className="plain">
                <Button
                  size="xs"
                  variant={one === step ? 'light' : 'subtle'}
                  color={one === step ? 'accent' : 'gray'}
                  aria-current={one === step ? 'step' : undefined}
                  leftSection={done[one] ? <IconCheck size={16} role="img" aria-label={t('start.done')} /> : at + 1}
                  onClick={() => open(one)}
                >
                  {t(`firstRun.${one}`)}
                </Button>
              </li>
            ))}
          </Group>
          <Step key={step} step={step} done={done[step]} open={open} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <LoadingState lines={6} />
      )}
    </Screen>
  )
}

interface StepProps {
  readonly step: FirstStep
  readonly done: boolean
  readonly open: (step: FirstStep) => void
}

function Step({ step, done, open }: StepProps) {
  const { t } = useTranslation()
  const at = firstSteps.indexOf(step)
  const following = firstSteps[at + 1]
  const next = (): void => following && open(following)
  return (
    <Paper component="section" aria-labelledby="first-step">
      <Stack gap="sm">
        <div>
          <Text size="xs" c="dimmed">
            {t('firstRun.step', { number: at + 1, count: firstSteps.length })}
          </Text>
          <Title order={2} id="first-step">
            {t(`firstRun.${step}`)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`firstRun.${step}Text`)}
          </Text>
        </div>
        {step === 'site' && <FirstSite next={next} />}
        {step === 'service' && <FirstService next={next} />}
        {step === 'provider' && <FirstProvider next={next} />}
        {step === 'booking' && <FirstBooking done={done} />}
        <Group gap="xs">
          {following && !done && (
            <Button variant="subtle" size="xs" onClick={next}>
              {t('firstRun.skip')}
            </Button>
          )}
          {(following || !done) && (
            <Button component={PanelLink} to="/start" variant="subtle" color="gray" size="xs">
              {t('firstRun.later')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
