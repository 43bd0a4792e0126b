"""Writes small GFXReconstruct captures (JSON Lines, the form with "function") from a description.

A scene is a dict, so that a test can flip one entry of it:

  images     name -> {format, usage, samples, lazy, tiling, swapchain}
  passes     a list; each is a render pass, or {"dispatch": True}, {"clear": image},
             {"resolve": [from, to]}, {"copy": [from, to]}, {"barrier": [src, dst]} between passes
  transform  of the surface: "IDENTITY" or "ROTATE_90"

A render pass: {label, attachments: {image: {load, store, layout, resolve}}, subpasses, dependencies,
samples_images (bound as sampled), draws, clears, area}. A draw is a dict: {vertices, instances} or
{indirect: [instances of each record]}.
"""
import copy
import json
import pathlib
import struct

WIDTH, HEIGHT = 1280, 720
USAGE = {'transfer_src': 1, 'transfer_dst': 2, 'sampled': 4, 'storage': 8, 'color': 16, 'depth': 32,
         'transient': 64, 'input': 128}
STENCIL = ('D24_UNORM_S8_UINT', 'D32_SFLOAT_S8_UINT')


def is_depth(image):
    return image['format'].startswith('D')


class Writer:
    def __init__(self, scene):
        self.scene = scene
        self.binaries = {}  # files that the converter writes beside the text
        self.lines = [{'header': {'source-path': 'scene.gfxr', 'json-version': '0.9.0',
                                  'gfxrecon-version': '1.0.3', 'vulkan-version': '1.3.239'}}]
        self.index = 0
        self.handles = 0
        self.views = {}
        self.images = {}

    def new(self):
        self.handles += 1
        return self.handles

    def call(self, name, args, result='VK_SUCCESS'):
        self.index += 1
        function = {'name': name, 'thread': 1}
        if result and not name.startswith(('vkCmd', 'vkUpdate', 'vkGetDeviceQueue')):
            function['return'] = result
        function['args'] = args
        self.lines.append({'index': self.index, 'function': function})

    def create(self, name, info, out, owner=('device', 4), **more):
        handle = self.new()
        info = dict({'sType': 'VK_STRUCTURE_TYPE_' + more.pop('stype')}, flags='0x00000000', **info)
        args = {owner[0]: owner[1], 'pCreateInfo': info, 'pAllocator': None, out: handle}
        self.call(name, args)
        return handle

    def setup(self):
        assert [self.new() for _ in range(5)] == [1, 2, 3, 4, 5]
        app = {'sType': 'VK_STRUCTURE_TYPE_APPLICATION_INFO', 'pApplicationName': 'scene',
               'applicationVersion': 0, 'pEngineName': 'none', 'engineVersion': 0,
               'apiVersion': 4198400, 'pNext': None}
        self.call('vkCreateInstance', {'pCreateInfo': {
            'sType': 'VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO', 'flags': '0x00000000',
            'pApplicationInfo': app, 'enabledLayerCount': 0, 'ppEnabledLayerNames': None,
            'enabledExtensionCount': 0, 'ppEnabledExtensionNames': None, 'pNext': None},
            'pAllocator': None, 'pInstance': 1})
        self.call('vkEnumeratePhysicalDevices', {'instance': 1, 'pPhysicalDeviceCount': 1,
                                                 'pPhysicalDevices': [2]})
        self.call('vkGetPhysicalDeviceProperties', {'physicalDevice': 2, 'pProperties': {
            'apiVersion': 4198400, 'driverVersion': 1, 'vendorID': 65541, 'deviceID': 0,
            'deviceType': 'VK_PHYSICAL_DEVICE_TYPE_CPU', 'deviceName': 'a test'}}, None)
        self.call('vkGetPhysicalDeviceMemoryProperties', {'physicalDevice': 2,
                  'pMemoryProperties': {'memoryTypeCount': 3, 'memoryTypes': [
                      {'propertyFlags': '0x00000001', 'heapIndex': 0},
                      {'propertyFlags': '0x00000011', 'heapIndex': 0},
                      {'propertyFlags': '0x00000006', 'heapIndex': 0}], 'memoryHeapCount': 1,
                      'memoryHeaps': [{'size': 1 << 30, 'flags': '0x00000001'}]}}, None)
        self.call('vkCreateDevice', {'physicalDevice': 2, 'pCreateInfo': {
            'sType': 'VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO', 'flags': '0x00000000',
            'queueCreateInfoCount': 1, 'pQueueCreateInfos': [{
                'sType': 'VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO', 'flags': '0x00000000',
                'queueFamilyIndex': 0, 'queueCount': 1, 'pQueuePriorities': [1.0],
                'pNext': None}], 'enabledLayerCount': 0, 'ppEnabledLayerNames': None,
            'enabledExtensionCount': 0, 'ppEnabledExtensionNames': None,
            'pEnabledFeatures': None, 'pNext': None}, 'pAllocator': None, 'pDevice': 4})
        self.call('vkGetDeviceQueue', {'device': 4, 'queueFamilyIndex': 0, 'queueIndex': 0,
                                       'pQueue': 5})
        transform = 'VK_SURFACE_TRANSFORM_%s_BIT_KHR'
        self.call('vkGetPhysicalDeviceSurfaceCapabilitiesKHR', {
            'physicalDevice': 2, 'surface': 3, 'pSurfaceCapabilities': {
                'minImageCount': 1, 'maxImageCount': 3,
                'currentExtent': {'width': WIDTH, 'height': HEIGHT}, 'maxImageArrayLayers': 1,
                'currentTransform': transform % self.scene.get('transform', 'IDENTITY')}})
        for name, image in self.scene['images'].items():
            self.image(name, image, transform % 'IDENTITY')
        self.sampler = self.create('vkCreateSampler', {'magFilter': 'VK_FILTER_NEAREST'}, 'pSampler',
                                   stype='SAMPLER_CREATE_INFO')
        self.pool = self.create('vkCreateCommandPool', {'queueFamilyIndex': 0}, 'pCommandPool',
                                stype='COMMAND_POOL_CREATE_INFO')
        self.cb = self.new()
        self.call('vkAllocateCommandBuffers', {'device': 4, 'pAllocateInfo': {
            'sType': 'VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO', 'commandPool': self.pool,
            'level': 'VK_COMMAND_BUFFER_LEVEL_PRIMARY', 'commandBufferCount': 1},
            'pCommandBuffers': [self.cb]})

    def image(self, name, image, transform):
        usage = sum(USAGE[word] for word in image['usage'])
        extent = {'width': WIDTH, 'height': HEIGHT}
        form = 'VK_FORMAT_' + image['format']
        if image.get('swapchain'):
            self.swapchain = self.create('vkCreateSwapchainKHR', {
                'surface': 3, 'minImageCount': 1, 'imageFormat': form, 'imageExtent': extent,
                'imageColorSpace': 'VK_COLOR_SPACE_SRGB_NONLINEAR_KHR', 'imageArrayLayers': 1,
                'imageUsage': '0x%08x' % usage, 'imageSharingMode': 'VK_SHARING_MODE_EXCLUSIVE',
                'queueFamilyIndexCount': 0, 'pQueueFamilyIndices': None, 'preTransform': transform,
                'compositeAlpha': 'VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR',
                'presentMode': 'VK_PRESENT_MODE_FIFO_KHR', 'clipped': True, 'oldSwapchain': 0},
                'pSwapchain', stype='SWAPCHAIN_CREATE_INFO_KHR')
            handle = self.new()
            self.call('vkGetSwapchainImagesKHR', {'device': 4, 'swapchain': self.swapchain,
                                                  'pSwapchainImageCount': 1,
                                                  'pSwapchainImages': [handle]})
        else:
            handle = self.create('vkCreateImage', {
                'imageType': 'VK_IMAGE_TYPE_2D', 'format': form, 'extent': dict(extent, depth=1),
                'mipLevels': 1, 'arrayLayers': 1,
                'samples': 'VK_SAMPLE_COUNT_%d_BIT' % image.get('samples', 1),
                'tiling': 'VK_IMAGE_TILING_' + image.get('tiling', 'OPTIMAL'),
                'usage': '0x%08x' % usage, 'sharingMode': 'VK_SHARING_MODE_EXCLUSIVE',
                'queueFamilyIndexCount': 0, 'pQueueFamilyIndices': None,
                'initialLayout': 'VK_IMAGE_LAYOUT_UNDEFINED'}, 'pImage',
                stype='IMAGE_CREATE_INFO')
            memory = self.new()
            self.call('vkAllocateMemory', {'device': 4, 'pAllocateInfo': {
                'sType': 'VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO', 'allocationSize': 1 << 24,
                'memoryTypeIndex': 1 if image.get('lazy') else 0, 'pNext': None},
                'pAllocator': None, 'pMemory': memory})
            self.call('vkBindImageMemory', {'device': 4, 'image': handle, 'memory': memory,
                                            'memoryOffset': 0})
        self.images[name] = handle
        aspect = 1 if not is_depth(image) else 6 if image['format'] in STENCIL else 2
        self.views[name] = self.create('vkCreateImageView', {
            'image': handle, 'viewType': 'VK_IMAGE_VIEW_TYPE_2D', 'format': form,
            'subresourceRange': {'aspectMask': '0x%08x' % aspect, 'baseMipLevel': 0,
                                 'levelCount': 1, 'baseArrayLayer': 0, 'layerCount': 1}}, 'pView',
            stype='IMAGE_VIEW_CREATE_INFO')

    def render_pass(self, what):
        names = list(what['attachments'])
        attachments, resolves = [], {}
        for name in names:
            of = what['attachments'][name]
            image = self.scene['images'][name]
            stencil = image['format'] in STENCIL
            op = lambda kind, word: 'VK_ATTACHMENT_%s_OP_%s' % (kind, word)
            layout = of.get('layout') or ('GENERAL' if of['load'] == 'LOAD' else 'UNDEFINED')
            attachments.append({
                'flags': '0x00000000', 'format': 'VK_FORMAT_' + image['format'],
                'samples': 'VK_SAMPLE_COUNT_%d_BIT' % image.get('samples', 1),
                'loadOp': op('LOAD', of['load']), 'storeOp': op('STORE', of['store']),
                'stencilLoadOp': op('LOAD', of['load'] if stencil else 'DONT_CARE'),
                'stencilStoreOp': op('STORE', of['store'] if stencil else 'DONT_CARE'),
                'initialLayout': 'VK_IMAGE_LAYOUT_' + layout,
                'finalLayout': 'VK_IMAGE_LAYOUT_GENERAL'})
            if 'resolve' in of:
                resolves[name] = of['resolve']
        targets = set(resolves.values())
        reference = lambda name: {'attachment': names.index(name),
                                  'layout': 'VK_IMAGE_LAYOUT_GENERAL'}
        unused = {'attachment': 4294967295, 'layout': 'VK_IMAGE_LAYOUT_UNDEFINED'}
        default = {'colors': [n for n in names if not is_depth(self.scene['images'][n])
                              and n not in targets],
                   'depth': next((n for n in names if is_depth(self.scene['images'][n])), None)}
        subpasses = []
        for sub in what.get('subpasses', [default]):
            colors = sub.get('colors', [])
            inputs = sub.get('inputs', [])
            depth = sub.get('depth')
            resolve = [reference(resolves[n]) if n in resolves else unused for n in colors]
            subpasses.append({
                'flags': '0x00000000', 'pipelineBindPoint': 'VK_PIPELINE_BIND_POINT_GRAPHICS',
                'inputAttachmentCount': len(inputs),
                'pInputAttachments': [reference(n) for n in inputs] or None,
                'colorAttachmentCount': len(colors),
                'pColorAttachments': [reference(n) for n in colors] or None,
                'pResolveAttachments': resolve if resolves else None,
                'pDepthStencilAttachment': reference(depth) if depth else None,
                'preserveAttachmentCount': 0, 'pPreserveAttachments': None})
        dependencies = [{
            'srcSubpass': source, 'dstSubpass': target, 'srcStageMask': '0x%08x' % before,
            'dstStageMask': '0x%08x' % after, 'srcAccessMask': '0x00000100',
            'dstAccessMask': '0x00000010', 'dependencyFlags': '0x%08x' % by_region}
            for source, target, before, after, by_region in what.get('dependencies', [])]
        handle = self.create('vkCreateRenderPass', {
            'attachmentCount': len(names), 'pAttachments': attachments,
            'subpassCount': len(subpasses), 'pSubpasses': subpasses,
            'dependencyCount': len(dependencies), 'pDependencies': dependencies or None},
            'pRenderPass', stype='RENDER_PASS_CREATE_INFO')
        frame = self.create('vkCreateFramebuffer', {
            'renderPass': handle, 'attachmentCount': len(names),
            'pAttachments': [self.views[n] for n in names], 'width': WIDTH, 'height': HEIGHT,
            'layers': 1}, 'pFramebuffer', stype='FRAMEBUFFER_CREATE_INFO')
        sampled = what.get('samples_images', [])
        bound = self.descriptors(sampled) if sampled else None
        buffers = [self.records(draw['indirect']) if draw.get('indirect') else None
                   for draw in what.get('draws', [])]
        return handle, frame, bound, buffers

    def descriptors(self, images):
        kind = 'VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER'
        layout = self.create('vkCreateDescriptorSetLayout', {
            'bindingCount': len(images), 'pBindings': [
                {'binding': i, 'descriptorType': kind, 'descriptorCount': 1,
                 'stageFlags': '0x00000010', 'pImmutableSamplers': None}
                for i in range(len(images))]}, 'pSetLayout',
            stype='DESCRIPTOR_SET_LAYOUT_CREATE_INFO')
        pipeline = self.create('vkCreatePipelineLayout', {
            'setLayoutCount': 1, 'pSetLayouts': [layout], 'pushConstantRangeCount': 0,
            'pPushConstantRanges': None}, 'pPipelineLayout', stype='PIPELINE_LAYOUT_CREATE_INFO')
        pool = self.create('vkCreateDescriptorPool', {
            'maxSets': 1, 'poolSizeCount': 1,
            'pPoolSizes': [{'type': kind, 'descriptorCount': len(images)}]}, 'pDescriptorPool',
            stype='DESCRIPTOR_POOL_CREATE_INFO')
        bound = self.new()
        self.call('vkAllocateDescriptorSets', {'device': 4, 'pAllocateInfo': {
            'sType': 'VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO', 'descriptorPool': pool,
            'descriptorSetCount': 1, 'pSetLayouts': [layout], 'pNext': None},
            'pDescriptorSets': [bound]})
        self.call('vkUpdateDescriptorSets', {
            'device': 4, 'descriptorWriteCount': len(images), 'pDescriptorWrites': [
                {'sType': 'VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET', 'dstSet': bound,
                 'dstBinding': i, 'dstArrayElement': 0, 'descriptorCount': 1,
                 'descriptorType': kind, 'pImageInfo': [
                     {'sampler': self.sampler, 'imageView': self.views[name],
                      'imageLayout': 'VK_IMAGE_LAYOUT_GENERAL'}],
                 'pBufferInfo': None, 'pTexelBufferView': None, 'pNext': None}
                for i, name in enumerate(images)], 'descriptorCopyCount': 0,
            'pDescriptorCopies': None})
        return pipeline, bound

    def records(self, instances):
        """A buffer of VkDrawIndirectCommand records, filled through a mapping."""
        data = b''.join(struct.pack('<4I', 36, count, 0, 0) for count in instances)
        buffer = self.create('vkCreateBuffer', {
            'size': len(data), 'usage': '0x00000100', 'sharingMode': 'VK_SHARING_MODE_EXCLUSIVE',
            'queueFamilyIndexCount': 0, 'pQueueFamilyIndices': None}, 'pBuffer',
            stype='BUFFER_CREATE_INFO')
        memory = self.new()
        self.call('vkAllocateMemory', {'device': 4, 'pAllocateInfo': {
            'sType': 'VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO', 'allocationSize': len(data),
            'memoryTypeIndex': 2, 'pNext': None}, 'pAllocator': None, 'pMemory': memory})
        self.call('vkBindBufferMemory', {'device': 4, 'buffer': buffer, 'memory': memory,
                                         'memoryOffset': 0})
        self.call('vkMapMemory', {'device': 4, 'memory': memory, 'offset': 0, 'size': len(data),
                                  'flags': '0x00000000', 'ppData': '0x7f0000000000'})
        name = f'fill_{len(self.binaries)}.bin'
        self.binaries[name] = data
        self.index += 1
        self.lines.append({'index': self.index, 'meta': {
            'name': 'FillMemoryCommand', 'args': {
                'thread_id': 1, 'memory_id': memory, 'offset': 0, 'size': len(data),
                'data': name}}})
        self.call('vkUnmapMemory', {'device': 4, 'memory': memory}, None)
        return buffer

    def cmd(self, name, **args):
        self.call(name, dict({'commandBuffer': self.cb}, **args), None)

    def record(self, what, ready):
        whole = {'aspectMask': '0x00000001', 'mipLevel': 0, 'baseArrayLayer': 0, 'layerCount': 1}
        if 'barrier' in what:
            self.cmd('vkCmdPipelineBarrier', srcStageMask='0x%08x' % what['barrier'][0],
                     dstStageMask='0x%08x' % what['barrier'][1], dependencyFlags='0x00000000',
                     memoryBarrierCount=1, pMemoryBarriers=[
                         {'sType': 'VK_STRUCTURE_TYPE_MEMORY_BARRIER', 'pNext': None,
                          'srcAccessMask': '0x00000100', 'dstAccessMask': '0x00000020'}],
                     bufferMemoryBarrierCount=0, pBufferMemoryBarriers=None,
                     imageMemoryBarrierCount=0, pImageMemoryBarriers=None)
        elif 'dispatch' in what:
            self.cmd('vkCmdDispatch', groupCountX=8, groupCountY=8, groupCountZ=1)
        elif 'clear' in what:
            self.cmd('vkCmdClearColorImage', image=self.images[what['clear']],
                     imageLayout='VK_IMAGE_LAYOUT_GENERAL',
                     pColor={'float32': [0.0] * 4, 'int32': [0] * 4, 'uint32': [0] * 4},
                     rangeCount=1, pRanges=[{'aspectMask': '0x00000001', 'baseMipLevel': 0,
                                             'levelCount': 1, 'baseArrayLayer': 0,
                                             'layerCount': 1}])
        elif 'resolve' in what or 'copy' in what:
            source, target = what.get('resolve') or what['copy']
            origin = {'x': 0, 'y': 0, 'z': 0}
            self.cmd('vkCmdResolveImage' if 'resolve' in what else 'vkCmdCopyImage',
                     srcImage=self.images[source], srcImageLayout='VK_IMAGE_LAYOUT_GENERAL',
                     dstImage=self.images[target], dstImageLayout='VK_IMAGE_LAYOUT_GENERAL',
                     regionCount=1, pRegions=[{
                         'srcSubresource': whole, 'srcOffset': origin, 'dstSubresource': whole,
                         'dstOffset': origin,
                         'extent': {'width': WIDTH, 'height': HEIGHT, 'depth': 1}}])
        else:
            self.record_pass(what, *ready)

    def record_pass(self, what, handle, frame, bound, buffers):
        area = what.get('area', [0, 0, WIDTH, HEIGHT])
        count = len(what['attachments'])
        clear = {'color': {'float32': [0.0] * 4, 'int32': [0] * 4, 'uint32': [0] * 4},
                 'depthStencil': {'depth': 0.0, 'stencil': 0}}
        rect = {'offset': {'x': area[0], 'y': area[1]},
                'extent': {'width': area[2], 'height': area[3]}}
        self.cmd('vkCmdBeginRenderPass', pRenderPassBegin={
            'sType': 'VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO', 'renderPass': handle,
            'framebuffer': frame, 'renderArea': rect, 'clearValueCount': count,
            'pClearValues': [clear] * count, 'pNext': None}, contents='VK_SUBPASS_CONTENTS_INLINE')
        if bound:
            self.cmd('vkCmdBindDescriptorSets',
                     pipelineBindPoint='VK_PIPELINE_BIND_POINT_GRAPHICS', layout=bound[0],
                     firstSet=0, descriptorSetCount=1, pDescriptorSets=[bound[1]],
                     dynamicOffsetCount=0, pDynamicOffsets=None)
        for slot in what.get('clears', []):
            self.cmd('vkCmdClearAttachments', attachmentCount=1, pAttachments=[
                {'aspectMask': '0x00000001', 'colorAttachment': slot, 'clearValue': clear}],
                rectCount=1, pRects=[{'rect': rect, 'baseArrayLayer': 0, 'layerCount': 1}])
        for number, draw in enumerate(what.get('draws', [])):
            if draw.get('next_subpass'):
                self.cmd('vkCmdNextSubpass', contents='VK_SUBPASS_CONTENTS_INLINE')
            if 'indirect' in draw:
                self.cmd('vkCmdDrawIndirect', buffer=buffers[number], offset=0,
                         drawCount=len(draw['indirect']), stride=16)
            else:
                self.cmd('vkCmdDraw', vertexCount=draw.get('vertices', 3000),
                         instanceCount=draw.get('instances', 1), firstVertex=0, firstInstance=0)
        self.cmd('vkCmdEndRenderPass')

    def text(self):
        self.setup()
        ready = [self.render_pass(what) if 'attachments' in what else None
                 for what in self.scene['passes']]
        for number in range(1, 3):
            self.frame(ready)
            self.index += 1
            self.lines.append({'index': self.index, 'frame': {'marker_type': 'EndMarker',
                                                              'frame_number': number}})
        return ''.join(json.dumps(line) + '\n' for line in self.lines)

    def frame(self, ready):
        self.call('vkAcquireNextImageKHR', {'device': 4, 'swapchain': self.swapchain,
                                            'timeout': 1, 'semaphore': 0, 'fence': 0,
                                            'pImageIndex': 0})
        self.call('vkBeginCommandBuffer', {'commandBuffer': self.cb, 'pBeginInfo': {
            'sType': 'VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO', 'flags': '0x00000000',
            'pInheritanceInfo': None, 'pNext': None}})
        for what, prepared in zip(self.scene['passes'], ready):
            self.record(what, prepared)
        self.call('vkEndCommandBuffer', {'commandBuffer': self.cb})
        self.call('vkQueueSubmit', {'queue': 5, 'submitCount': 1, 'pSubmits': [{
            'sType': 'VK_STRUCTURE_TYPE_SUBMIT_INFO', 'waitSemaphoreCount': 0,
            'pWaitSemaphores': None, 'pWaitDstStageMask': None, 'commandBufferCount': 1,
            'pCommandBuffers': [self.cb], 'signalSemaphoreCount': 0,
            'pSignalSemaphores': None, 'pNext': None}], 'fence': 0})
        self.call('vkQueuePresentKHR', {'queue': 5, 'pPresentInfo': {
            'sType': 'VK_STRUCTURE_TYPE_PRESENT_INFO_KHR', 'waitSemaphoreCount': 0,
            'pWaitSemaphores': None, 'swapchainCount': 1, 'pSwapchains': [self.swapchain],
            'pImageIndices': [0], 'pResults': None, 'pNext': None}})


def write(scene, folder):
    """The scene's two frames as a capture in `folder`, as gfxrecon-convert --include-binaries does;
    the path of its text."""
    writer = Writer(copy.deepcopy(scene))
    path = pathlib.Path(folder) / 'capture.jsonl'
    path.write_text(writer.text())
    for name, data in writer.binaries.items():
        (pathlib.Path(folder) / name).write_bytes(data)
    return path
