import { offerToCopy } from './copy-samples.ts';
import { fillInOrigin } from './origin.ts';
import { tabSamples } from './sample-tabs.ts';
import { openForm } from './try-form.ts';

fillInOrigin();
tabSamples();
offerToCopy();
await openForm();
